import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { Presence } from '../../app/context/open-context.ts';
import type { Capstan } from '../../app/open-capstan.ts';
import type { StartedRun } from '../../app/runs/start/started-run.ts';
import type { CapstanEvent, TextDelta } from '../../contract/event.ts';
import type { CommandIo } from '../command.ts';
import { exitCodeOf, exitCodes } from '../errors/exit-codes.ts';
import { printError } from '../errors/print-error.ts';
import { buffered } from '../io/buffered.ts';
import { printJsonLine } from '../io/print-json.ts';
import { SignalReceived, watchSignals } from '../io/watch-signals.ts';
import type { RunChanges } from '../report/changed-files.ts';
import { openReports } from '../report/ci/reports.ts';
import { createStyle } from '../text/style.ts';
import type { ShowOptions } from './show-options.ts';
import { brokenRunDocument, type PrintedRun, printRun } from './surfaces/print-run.ts';
import type { RunSurface } from './surfaces/run-surface.ts';
import { openTextSurface } from './surfaces/text-surface.ts';

/** The state of a terminal before Capstan is open: whether its questions can be answered. */
export function presenceOf(io: CommandIo, { format, waitMs }: ShowOptions) {
  const wait = createAnswerWait(waitMs);
  const canAsk = io.isTerminal && format === 'text';
  const presence: Presence = () => canAsk || wait.isOpen();
  return { presence, wait, canAsk };
}

interface TerminalParts extends ReturnType<typeof presenceOf> {
  /** Draws the run. Default: it is printed line by line. */
  readonly surface?: RunSurface | undefined;
}

export type RunTerminal = ReturnType<typeof openRunTerminal>;

/**
 * Shows one run at this terminal. It opens before the run starts, so that no event is missed. A signal parks the run, the
 * second stops its capsules immediately, and the third ends this process.
 */
export function openRunTerminal(
  capstan: Pick<Capstan, 'approvals' | 'runs'>,
  io: CommandIo,
  options: ShowOptions,
  { wait, canAsk, surface: drawn }: TerminalParts,
) {
  const style = createStyle(io.environment, isatty(2));
  const isDocument = options.format !== 'text';
  const surface: RunSurface = drawn ?? openTextSurface(capstan, { io, style, options, canAsk });
  const documents = isDocument ? openDocumentSurface(capstan, io, options.format) : undefined;
  const reports = openReports(io, options.junit);
  const listener = buffered<CapstanEvent>();
  const deltas = buffered<TextDelta>();
  let running: StartedRun | undefined;
  let signals = 0;
  const interrupt = () => running?.interrupt({ now: signals > 1 });
  const print = (document: PrintedRun, changes?: RunChanges): boolean => {
    const isReported = reports.end(document, changes);
    documents?.print(document);
    return isReported;
  };
  const watch = watchSignals(
    (count) => {
      signals = count;
      interrupt();
    },
    () => void print(leave(running)),
  );

  return {
    /** For `start` and `resume`. */
    listeners: { onEvent: listener.take, onDelta: deltas.take, onProgress: surface.onProgress },
    /** Follows the run to its end: progress on stderr, the answer on stdout. Returns the exit code. */
    async show(run: StartedRun, isResumed = false): Promise<number> {
      running = run;
      const notices = [...run.notices];
      await surface.begin(run, isResumed);
      documents?.begin(run);
      deltas.open((delta) => surface.onDelta(delta));
      listener.open((event) => {
        wait.onEvent(event);
        reports.onEvent(event);
        surface.onEvent(event);
        if (event.type === 'run.noticed') notices.push(event.text);
      });
      if (signals > 0) interrupt();
      // If the run could not continue, the document names it.
      const document = await run.finished.catch((error: unknown) => {
        print({ ...brokenRunDocument(error, run), notices });
        throw error;
      });
      await documents?.settled();
      const changes = await capstan.runs.diff(run.id).catch(() => undefined);
      const exitCode = exitCodeOf(document, watch.received());
      if (!isDocument) await surface.end(document, { changes, exitCode });
      else if (document.error) printError(io, new Error(document.error.message), []);
      const isReported = print({ ...document, notices }, changes);
      return exitCode === exitCodes.completed && !isReported ? exitCodes.failed : exitCode;
    },
    /** Reports that no run could start, and throws the error. */
    fail(error: unknown): never {
      reports.end(brokenRunDocument(error), undefined);
      throw error;
    },
    close(): void {
      surface.close();
      watch.stop();
    },
  };
}

/** The document for a process that exits immediately. */
function leave(run: StartedRun | undefined): PrintedRun {
  try {
    return run?.leave() ?? brokenRunDocument(new SignalReceived('SIGINT'));
  } catch (error) {
    return brokenRunDocument(error, run);
  }
}

/** Counts how long the newest open question has waited for an answer from elsewhere. @param waitMs Limit; 0: none comes. */
function createAnswerWait(waitMs: number) {
  const askedMs = new Map<string, number>();
  return {
    onEvent(event: CapstanEvent): void {
      if (event.type === 'approval.asked') askedMs.set(event.approval_id, performance.now());
      if (event.type === 'approval.decided') askedMs.delete(event.approval_id);
    },
    /** Whether an answer may still come: no question is open, or the newest has waited less than the limit. */
    isOpen(): boolean {
      if (waitMs === 0 || askedMs.size === 0) return waitMs > 0;
      return performance.now() - Math.max(...askedMs.values()) < waitMs;
    },
  };
}

/** The last events of an ended run are already committed, so printing them is quick. */
const SETTLE_MS = 5_000;

/** Prints a run as one JSON document, with `jsonl` after its events. */
function openDocumentSurface({ runs }: Pick<Capstan, 'runs'>, io: CommandIo, format: string) {
  const stop = new AbortController();
  let streaming: Promise<void> = Promise.resolve();
  let hasPrinted = false;
  return {
    begin({ id }: StartedRun): void {
      if (format === 'jsonl')
        streaming = streamEvents(runs, id, io, stop.signal).catch(() => undefined);
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
      printRun(io, document, format === 'jsonl');
    },
  };
}

/** Prints the numbered events of a run as they happen, one JSON document a line, until it ends, parks or stdout is closed. */
async function streamEvents(
  runs: Pick<Capstan['runs'], 'follow'>,
  runId: string,
  io: CommandIo,
  signal: AbortSignal,
): Promise<void> {
  for await (const numbered of runs.follow(runId, { signal })) {
    printJsonLine(io, numbered);
    if ((await io.stdoutReady?.()) === false) break;
  }
}
