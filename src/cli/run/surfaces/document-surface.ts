import { setTimeout as sleep } from 'node:timers/promises';
import type { Capstan } from '../../../app/open-capstan.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CommandIo } from '../../command.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { type PrintedRun, printRun, printRunLine } from './print-run.ts';

/** Prints a run as one JSON document, with `jsonl` after its events. */
export interface DocumentSurface {
  begin(run: StartedRun): void;
  /** Resolves when the events of an ended run are printed. */
  settled(): Promise<void>;
  /** Prints the document, once. */
  print(document: PrintedRun): void;
}

/** The last events of an ended run are already committed, so printing them is quick. */
const SETTLE_MS = 5_000;

export function openDocumentSurface(
  { runs }: Pick<Capstan, 'runs'>,
  io: CommandIo,
  format: 'json' | 'jsonl' | 'text',
): DocumentSurface {
  const stop = new AbortController();
  let streaming: Promise<void> = Promise.resolve();
  let hasPrinted = false;
  return {
    begin({ id }) {
      if (format === 'jsonl')
        streaming = streamEvents(runs, id, { io, signal: stop.signal }).catch(() => undefined);
    },
    async settled() {
      const timeout = new AbortController();
      const { signal } = timeout;
      await Promise.race([streaming, sleep(SETTLE_MS, undefined, { signal }).catch(() => {})]);
      timeout.abort();
      stop.abort();
    },
    print(document) {
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
