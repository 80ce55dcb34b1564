import { setTimeout as sleep } from 'node:timers/promises';
import type { Capstan } from '../../../app/open-capstan.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CommandIo } from '../../command.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { type PrintedRun, printRun, printRunLine } from './print-run.ts';

/** The last events of an ended run are already committed, so printing them is quick. */
const SETTLE_MS = 5_000;

/** Prints a run as one JSON document, with `jsonl` after its events. */
export function openDocumentSurface(
  { runs }: Pick<Capstan, 'runs'>,
  io: CommandIo,
  format: 'json' | 'jsonl' | 'text',
) {
  const stop = new AbortController();
  let streaming: Promise<void> = Promise.resolve();
  let hasPrinted = false;
  return {
    begin({ id }: StartedRun): void {
      if (format === 'jsonl')
        streaming = streamEvents(runs, id, { io, signal: stop.signal }).catch(() => undefined);
    },
    /** Resolves when the events of an ended run are printed. */
    async settled(): Promise<void> {
      const timeout = new AbortController();
      const { signal } = timeout;
      await Promise.race([streaming, sleep(SETTLE_MS, undefined, { signal }).catch(() => {})]);
      timeout.abort();
      stop.abort();
    },
    /** Prints the document, once. */
    print(document: PrintedRun): void {
      if (hasPrinted) return;
      hasPrinted = true;
      stop.abort();
      if (format === 'jsonl') printRunLine(io, document);
      else printRun(io, document);
    },
  };
}

/** Prints the numbered events of a run as they happen, one JSON document a line, until it ends, parks or stdout is closed. */
async function streamEvents(
  runs: Pick<Capstan['runs'], 'follow'>,
  runId: string,
  { io, signal }: { readonly io: CommandIo; readonly signal: AbortSignal },
): Promise<void> {
  for await (const numbered of runs.follow(runId, { signal })) {
    printJsonLine(io, numbered);
    if ((await io.stdoutReady?.()) === false) break;
  }
}
