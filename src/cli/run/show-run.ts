import { isatty } from 'node:tty';
import type { Capstan } from '../../app/open-capstan.ts';
import type { Presence } from '../../app/open-options.ts';
import { ownVersion } from '../../app/own-process.ts';
import type { RunOptions, StartedRun } from '../../app/runs/started-run.ts';
import type { CapstanEvent } from '../../contract/event.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { answerQuestions } from '../approval/answer-questions.ts';
import { createTerminalApprover, type TerminalApprover } from '../approval/terminal-approver.ts';
import type { CommandIo } from '../command.ts';
import { exitCodeOf } from '../errors/exit-codes.ts';
import { SignalReceived, watchSignals } from '../io/watch-signals.ts';
import { isShownAt, type LogLevel } from '../options/log-level.ts';
import { createStyle, type Style } from '../style.ts';
import { brokenRunDocument } from './broken-run-document.ts';
import { createLiveText, type LiveText } from './live-text.ts';
import { noticesOf } from './notices-of.ts';
import { printResult } from './print-result.ts';
import { type PrintedRun, printRun } from './print-run.ts';
import { createProgressLine } from './progress-line.ts';
import { createRunView } from './run-view.ts';

/** How a run is shown: with `--json` as one document and without questions, with `--quiet` without progress. */
export interface ShowOptions {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

export const showOptionsOf = (options: Readonly<Record<string, unknown>>): ShowOptions => ({
  isJson: options['json'] === true,
  isQuiet: options['quiet'] === true,
});

/** Whether this terminal answers the questions of its runs. */
export const presenceAt =
  ({ isTerminal }: CommandIo, { isJson }: ShowOptions): Presence =>
  () =>
    isTerminal && !isJson;

/** Shows one run at this terminal. It is opened before the run starts, so that no event is missed. */
export interface RunTerminal {
  /** For `start` and `resume`. */
  readonly listeners: Pick<RunOptions, 'onEvent' | 'onDelta' | 'onProgress'>;
  /** Follows the run to its end: progress on stderr, the answer on stdout. Returns the exit code. */
  show(run: StartedRun): Promise<number>;
  close(): void;
}

/** A signal parks the run, the second stops its capsules at once, and the third ends this process. */
export function openRunTerminal(
  capstan: Pick<Capstan, 'approvals'>,
  plain: CommandIo,
  { isJson, isQuiet }: ShowOptions,
): RunTerminal {
  const style = createStyle(plain.environment, isatty(2));
  const isInteractive = plain.isTerminal && !isJson;
  const isAsking = () => approver?.isAsking() ?? false;
  const live: LiveText | undefined =
    isInteractive && !isQuiet ? liveText(plain, style, isAsking) : undefined;
  const io = live ? { ...plain, stderr: live.beside(plain.stderr) } : plain;
  const rowOf = (id: string) => capstan.approvals.get(id);
  const approver: TerminalApprover | undefined = isInteractive
    ? createTerminalApprover({ io, style, rowOf })
    : undefined;
  const write = approver?.beside(io.stderr) ?? io.stderr;
  const answer = approver ? answerQuestions(capstan, approver, write) : () => {};
  const listener = createDeferred<CapstanEvent>();
  let running: StartedRun | undefined;
  let isLive = false;
  let signals = 0;
  const interrupt = () => running?.interrupt({ now: signals > 1 });
  const watch = watchSignals(
    (count) => {
      signals = count;
      interrupt();
    },
    () => {
      const document = leave(running);
      if (isJson) printRun(io, document);
    },
  );
  const progress = createProgressLine(
    { isTerminal: isInteractive && !isQuiet, stderr: write },
    'Embedding capsules',
  );
  /** Of a run that could not continue, the document says which run it is. */
  const finished = (run: StartedRun) =>
    run.finished.catch((error: unknown) => {
      if (isJson) printRun(io, brokenRunDocument(error, run));
      throw error;
    });
  return {
    listeners: {
      onEvent: listener.take,
      onDelta: (delta) => isLive && live?.update(delta),
      onProgress: progress.update,
    },
    async show(run) {
      running = run;
      const noticeLevel = run.logLevel;
      const level: LogLevel = isQuiet ? 'error' : noticeLevel;
      introduce(run, { write, style, level, noticeLevel });
      isLive = isShownAt('info', level);
      const shown = { level, noticeLevel, asking: approver, hasAnswer: true };
      const view = createRunView(write, style, shown);
      const notices = [...run.notices];
      listener.open((event) => {
        view(event);
        if (event.type === 'model.answered') live?.end(event.intent_id);
        if (event.type === 'run.noticed') notices.push(event.text);
        answer(event);
      });
      if (signals > 0) interrupt();
      const document = await finished(run);
      if (isJson) printRun(io, { ...document, notices });
      else printResult(document, { io, write, level });
      return exitCodeOf(document, watch.received());
    },
    close: watch.stop,
  };
}

const liveText = (io: CommandIo, style: Style, isAsking: () => boolean): LiveText =>
  createLiveText(io.stderr, {
    style,
    isShown: () => !isAsking(),
    columns: () => process.stderr.columns,
  });

/** The document for a process that exits at once. */
function leave(run: StartedRun | undefined): PrintedRun {
  try {
    return run?.leave() ?? brokenRunDocument(new SignalReceived('SIGINT'));
  } catch (error) {
    return brokenRunDocument(error, run);
  }
}

/** A listener that buffers events until it is opened. */
function createDeferred<T>() {
  const held: T[] = [];
  let listener: ((one: T) => void) | undefined;
  return {
    take: (one: T) => (listener ? listener(one) : void held.push(one)),
    open(to: (one: T) => void) {
      for (const one of held.splice(0)) to(one);
      listener = to;
    },
  };
}

interface Introduction {
  readonly write: (text: string) => void;
  readonly style: Style;
  readonly level: LogLevel;
  readonly noticeLevel: LogLevel;
}

function introduce(run: StartedRun, { write, style, level, noticeLevel }: Introduction): void {
  const { name, why } = run.provider;
  const provider = name === 'offline' ? 'offline (no language model)' : name;
  const lines = [
    `capstan ${ownVersion()} · ${provider}, ${why} · isolation ${run.isolation}`,
    `workspace ${run.workspace}`,
  ];
  const shown = [
    ...(isShownAt('info', level) ? lines : []),
    ...(isShownAt('warn', noticeLevel) ? noticesOf(run).map((notice) => `! ${notice}`) : []),
  ];
  for (const text of shown) write(`${style.dim(escapeText(text, true))}\n`);
}
