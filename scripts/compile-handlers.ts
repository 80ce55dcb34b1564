import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import {
  compiledFile,
  compiledName,
  compileProgram,
  runProgram,
} from '../src/runtime/capsule/compiled.ts';
import type { Handler } from '../src/runtime/capsule/handler-context.ts';
import { replaceFile } from './replace-file.ts';

/** V8's own values of the flags that the handlers change. */
const usualFlags = `--regexp-optimization --regexp-peephole-optimization${process.versions.v8.startsWith('11.3.') ? ' --interrupt-budget=67584' : ''}`;

/** What every tool answers: a table and a text. */
const answer = {
  ...{ columns: ['id', 'time', 'path', 'status', 'amount'], truncated: false, total_rows: 2 },
  rows: [
    [1, '2026-03-02 06:00:06', '/api/orders/7', 200, 12.5],
    [2, '2026-03-02 06:01:06', '/api/search', 500, 8],
  ],
  ...{ text: 'one\ntwo\n', content: 'one\ntwo\n', entries: [], matches: [] },
};

/**
 * Writes the compiled code of a capsule's handlers beside them, with the functions that the examples of its manifest use.
 * What an example answers does not matter.
 */
async function compile(filename: string): Promise<void> {
  const source = readFileSync(filename);
  const script = compileProgram(filename, source);
  const { handlers } = runProgram(filename, script) as { handlers: Record<string, Handler> };
  const manifest = readFileSync(join(dirname(filename), 'manifest.json'), 'utf8');
  for (const { name, examples = [] } of JSON.parse(manifest).task_kinds)
    for (const task of examples) await handlers[name]?.(contextOf(task)).catch(() => undefined);
  setFlagsFromString(usualFlags);
  replaceFile(compiledName(filename), compiledFile(source, script.createCachedData()));
}

const contextOf = (task: string) =>
  ({
    ...{ task, input: {}, results: [], memory: [], request: { context: {} } },
    ...{ call: async () => answer, progress: () => undefined, artifact: () => undefined },
  }) as unknown as Parameters<Handler>[0];

await compile(process.argv[2] ?? '');
