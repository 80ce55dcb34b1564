import type { RunDocument } from '../coordinator/run-document.ts';
import type { CommandIo } from './command.ts';
import { withCommands } from './next-command.ts';
import { printJson } from './print-json.ts';

/** Prints a run's document as JSON, each next step with the command line that does it. */
export const printRun = (io: Pick<CommandIo, 'stdout'>, document: RunDocument): void =>
  printJson(io, { ...document, next: withCommands(document.next) });
