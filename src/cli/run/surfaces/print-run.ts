import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { CommandIo } from '../../command.ts';
import { withCommands } from '../../errors/next-command.ts';
import { printJson, printJsonLine } from '../../io/print-json.ts';

/** A run's document. `run_id` is null if the run could not start and has no row. */
export type PrintedRun = Omit<RunDocument, 'run_id'> & {
  readonly run_id: string | null;
  /** Warnings of this process about the run: ignored project files, capsules that were left out. */
  readonly notices?: readonly string[];
};

/** A run's document as `--json` prints it: each next step with the command line that does it. */
export const printedRun = (document: PrintedRun) => ({
  ...document,
  next: withCommands(document.next),
});

export const printRun = (io: Pick<CommandIo, 'stdout'>, document: PrintedRun): void =>
  printJson(io, printedRun(document));

/** The same on one line, as the last of `--jsonl`. */
export const printRunLine = (io: Pick<CommandIo, 'stdout'>, document: PrintedRun): void =>
  printJsonLine(io, { type: 'result', ...printedRun(document) });
