import { askPerson } from './ask-person.ts';
import type { Tool } from './define/tool.ts';
import { fileIo } from './file-io.ts';
import { httpApi } from './http-api.ts';
import { pythonExec } from './python-exec.ts';
import { sqlQuery } from './sql-query.ts';
import { terminal } from './terminal.ts';
import { webFetch } from './web-fetch.ts';

/** Every tool by its name. A `Map`, since names come from capsules. */
export const toolbox: ReadonlyMap<string, Tool> = new Map(
  [fileIo, terminal, pythonExec, sqlQuery, webFetch, httpApi, askPerson].map((tool) => [
    tool.name,
    tool,
  ]),
);

/** The tool of an operation (`file_io.write`); undefined if it is not of a tool. */
export const toolOf = (operation: string): Tool | undefined =>
  toolbox.get(operation.split('.', 1)[0] ?? '');
