import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandIo } from '../command.ts';
import { printJsonLine } from '../io/print-json.ts';

/** Prints the numbered events of a run as they happen, one JSON document a line, until it ends, parks or stdout is closed. */
export async function streamEvents(
  runs: Pick<Capstan['runs'], 'follow'>,
  runId: string,
  { io, signal }: { readonly io: CommandIo; readonly signal: AbortSignal },
): Promise<void> {
  for await (const numbered of runs.follow(runId, { signal })) {
    printJsonLine(io, numbered);
    if ((await io.stdoutReady?.()) === false) break;
  }
}
