import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { isNotice, isShownAt, type LogLevel, levelOf } from '../../options/log-level.ts';
import type { Style } from '../../style.ts';
import { shorten } from '../../text/shorten.ts';
import { createDecisionLines } from './decision-lines.ts';
import { headLine, type ShownHead } from './head-line.ts';
import { briefWords, type LineWords, type StepWord } from './line-words.ts';
import { noticeText } from './notice-text.ts';
import { createStepBook, type KnownStep } from './step-facts.ts';
import { endText, startText } from './step-text.ts';

export interface RunLinesOptions {
  readonly style: Style;
  /** Events of lower levels are not shown. */
  readonly level: LogLevel;
  /** The same for notices, which `--quiet` does not hide. Default: `level`. */
  readonly noticeLevel?: LogLevel;
  /** Default: `briefWords`. */
  readonly words?: LineWords;
  /** The prompt that asks questions at this terminal, if any. Answers that it has shown are not repeated. */
  readonly asking?: { hasShown(approvalId: string): boolean } | undefined;
  /** What the first line says about the run. Default: no first line. */
  readonly head?: ShownHead | undefined;
  /** Steps of a resumed run. */
  readonly known?: readonly KnownStep[];
  /** Milliseconds. Default: the process's clock. */
  readonly now?: () => number;
}

export interface RunLines {
  onEvent(event: CapstanEvent): void;
  /** Stops the lines about long work. */
  close(): void;
}

/** After this long without a line, the steps in progress are printed, in milliseconds. */
const WORKING_MS = 30_000;

/** A question that the approve mode answers at once is not shown: its answer is. */
const HOLD_MS = 100;

/**
 * Prints the events of a run as they happen, one line each, for pipes and logs. At level `debug`, every event is printed.
 */
export function createRunLines(write: (text: string) => void, options: RunLinesOptions): RunLines {
  const { style, level, noticeLevel = level, words = briefWords, head, known = [] } = options;
  const now = options.now ?? (() => performance.now());
  const book = createStepBook(known, now);
  const isDebug = isShownAt('debug', level);
  let timer: NodeJS.Timeout | undefined;
  const line = (text: string) => {
    write(`${text}\n`);
    awaitNext();
  };
  const awaitNext = () => {
    clearTimeout(timer);
    timer = setTimeout(sayWorking, WORKING_MS).unref();
  };
  const say = (id: string, word: StepWord, text: string) =>
    line(paint(word, style)(words.step(book.of(id).number, word, text)));
  const sayWorking = () => {
    const working = [...book.working()];
    if (!isShownAt('info', level) || working.length === 0) return awaitNext();
    for (const [id, sinceMs] of working)
      say(id, 'working', `${Math.round((now() - sinceMs) / 1_000)} s`);
  };
  const decisions = createDecisionLines({ say, asking: options.asking, holdMs: HOLD_MS });

  const showEnd = (event: Extract<CapstanEvent, { type: 'subtask.ended' }>) => {
    const { subtask_id: id, reason } = event;
    if (!decisions.hasDenied(id, reason)) say(id, ...endText(event, book.of(id)));
  };
  const showNotice = (event: CapstanEvent) => {
    const notice = noticeText(event);
    if (notice !== undefined) line(style.yellow(words.notice(notice)));
  };
  const show = (event: CapstanEvent): void => {
    if (event.type === 'subtask.ended') showEnd(event);
    else if (event.type === 'subtask.started')
      say(event.subtask_id, ...startText(event, book.of(event.subtask_id)));
    else if (event.type === 'provider.opened' && head) line(headLine(event, head));
    else showNotice(event);
  };
  return {
    onEvent(event) {
      book.take(event);
      const isShown = isShownAt(levelOf(event), isNotice(event) ? noticeLevel : level);
      if (decisions.onEvent(event, isShown) || !isShown) return;
      show(event);
      if (isDebug) line(style.dim(detailLine(event)));
    },
    close() {
      clearTimeout(timer);
      decisions.close();
    },
  };
}

function paint(word: StepWord, style: Style): (text: string) => string {
  if (word === 'denied' || word === 'failed') return style.red;
  if (word === 'done' || word === 'allowed' || word === 'answered') return style.green;
  if (word === 'asks') return style.yellow;
  return word === 'working' ? style.dim : (text) => text;
}

/** An event with all its fields, as the log level `debug` shows it: `capsule.started {"subtask_id":"s1","pid":4711,…}` */
function detailLine({ type, at: _at, run_id: _run, ...rest }: CapstanEvent): string {
  return `  ${type} ${shorten(escapeText(JSON.stringify(rest)), 400)}`;
}
