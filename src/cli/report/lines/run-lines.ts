import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { shortReason } from '../../../contract/permissions/isolation.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import { isNotice, isShownAt, type LogLevel, levelOf } from '../../options/log-level.ts';
import { formatCost, formatSeconds } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import type { Style } from '../../text/style.ts';
import { createCallLines } from './call-lines.ts';
import { createDecisionLines } from './decision-lines.ts';
import { briefWords, type LineWords, type StepWord } from './line-words.ts';
import { noticeText } from './notice-text.ts';
import { createStepTracker, type KnownStep, type StepFacts } from './step-facts.ts';

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
  /** The run as the first line describes it. Default: no first line. */
  readonly head?: Pick<StartedRun, 'id' | 'isolation'> | undefined;
  /** Steps of a resumed run. */
  readonly known?: readonly KnownStep[];
  /** Milliseconds. Default: the process's clock. */
  readonly now?: () => number;
}

/** After this long without a line, the steps in progress are printed, in milliseconds. */
const WORKING_MS = 30_000;

/** A question that the approve mode answers is not shown, only its answer. */
const HOLD_MS = 100;

/** Prints the events of a run as they happen, one line each, for pipes and logs; at level `debug`, every event. */
export function createRunLines(write: (text: string) => void, options: RunLinesOptions) {
  const { style, level, noticeLevel = level, words = briefWords, head, known = [] } = options;
  const now = options.now ?? (() => performance.now());
  const book = createStepTracker(known, now);
  const isDebug = isShownAt('debug', level);
  let timer: NodeJS.Timeout | undefined;
  /** Of the last model call, which failed: the end of its step or of the run usually repeats it. */
  let failure: { readonly message: string; readonly notice: string } | undefined;
  const line = (text: string) => {
    showFailure();
    write(`${text}\n`);
    awaitNext();
  };
  const showFailure = (told = '') => {
    const { message = '', notice } = failure ?? {};
    failure = undefined;
    if (notice !== undefined && !told.includes(message)) line(style.yellow(words.notice(notice)));
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
  const showCalls = createCallLines({ say, line, style });
  const decisions = createDecisionLines({ say, asking: options.asking, holdMs: HOLD_MS });

  const showEnd = (event: EventOf<'subtask.ended'>) => {
    const { subtask_id: id, reason } = event;
    if (!decisions.hasDenied(id, reason)) say(id, ...endText(event, book.of(id)));
  };
  const showNotice = (event: CapstanEvent) => {
    const notice = noticeText(event);
    if (notice === undefined) return;
    if (event.type === 'model.answered' && event.message) {
      showFailure();
      failure = { message: event.message, notice };
    } else line(style.yellow(words.notice(notice)));
  };
  const show = (event: CapstanEvent) => {
    if (event.type === 'subtask.ended') return showEnd(event);
    if (event.type === 'subtask.started')
      return say(event.subtask_id, ...startText(event, book.of(event.subtask_id)));
    if (event.type === 'provider.opened' && head) return line(headLine(event, head));
    if (event.type === 'run.resumed')
      return line(
        `run ${shortId(event.run_id)} continues: ${firstLine(event.task, MAX_WHY_CHARS)}`,
      );
    showNotice(event);
  };
  return {
    onEvent(event: CapstanEvent): void {
      book.take(event);
      if (event.type === 'subtask.ended') showFailure(event.message ?? undefined);
      const isShown = isShownAt(levelOf(event), isNotice(event) ? noticeLevel : level);
      const isDecision = decisions.onEvent(event, isShown);
      if (isShownAt('info', level)) showCalls(event);
      if (isDecision || !isShown) return;
      show(event);
      if (isDebug) line(style.dim(detailLine(event)));
    },
    /** To be called at the end of the run. @param told What is said next, so that it is not said twice. */
    showFailure,
    /** Stops the lines about long work. */
    close(): void {
      showFailure();
      clearTimeout(timer);
      decisions.close();
    },
  };
}

function paint(word: StepWord, style: Style): (text: string) => string {
  if (word === 'denied' || word === 'failed') return style.red;
  if (word === 'done' || word === 'allowed' || word === 'answered') return style.green;
  if (word === 'asks') return style.yellow;
  return word === 'working' || word === 'tool' ? style.dim : (text) => text;
}

/** An event with all its fields, as the log level `debug` shows it: `capsule.started {"subtask_id":"s1","pid":4711,…}` */
function detailLine({ type, at: _at, run_id: _run, ...rest }: CapstanEvent): string {
  return `  ${type} ${shorten(escapeText(JSON.stringify(rest)), 400)}`;
}

/** `run 3f9c0a12: claude-sonnet-5 at anthropic, sandbox A (bubblewrap, tested)` */
function headLine(
  { provider, models, origin }: EventOf<'provider.opened'>,
  { id, isolation }: Pick<StartedRun, 'id' | 'isolation'>,
): string {
  // A server on this machine is not the vendor whose API it speaks.
  const here = /^https?:\/\/((?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?)$/.exec(origin ?? '')?.[1];
  const used = `${escapeText([...new Set(models)].join(', '))} at ${here ?? provider}`;
  const model = models.length > 0 ? used : 'no model';
  const [level = '', ...reason] = isolation.split(': ');
  const sandbox = sandboxes[level]?.(reason.join(': ')) ?? `sandbox ${escapeText(level)}`;
  return `run ${shortId(id)}: ${model}, ${sandbox}`;
}

const sandboxes: Readonly<Record<string, (reason: string) => string>> = {
  A: () => 'sandbox A (bubblewrap, tested)',
  B: (reason) => `sandbox B (${shortReason(reason)})`,
  C: () => 'sandbox C (too weak for programs)',
  none: () => 'no sandbox',
};

type Words = readonly [word: StepWord, text: string];

/** `Run the cart tests (command-runner)`, `attempt 2 (command-runner)` */
function startText(event: EventOf<'subtask.started'>, { description }: StepFacts): Words {
  const { attempt, capsule_id } = event;
  if (attempt > 1) return ['retry', `attempt ${attempt} (${capsule_id})`];
  return ['start', description === '' ? capsule_id : `${description} (${capsule_id})`];
}

/** `2 of 14 fail, both in total() (4.1 s, $0.04)` */
function endText(event: EventOf<'subtask.ended'>, { description, costUsd }: StepFacts): Words {
  const { status, message, summary, reason, duration_ms } = event;
  const facts = [formatSeconds(duration_ms), ...(costUsd > 0 ? [formatCost(costUsd)] : [])];
  if (status === 'completed')
    return ['done', `${firstLine(summary ?? description, 300)} (${facts.join(', ')})`.trim()];
  const why = firstLine((message ?? reason ?? '').trim(), MAX_WHY_CHARS);
  if (status === 'skipped') return ['skipped', why.replace(/^Skipped: /, '')];
  return [status, status === 'failed' ? `${why} (${facts.join(', ')})`.trim() : why];
}

const MAX_WHY_CHARS = 2_000;

/** The answer has the other lines. */
const firstLine = (text: string, maxChars: number): string =>
  printable(text.split('\n')[0] ?? '', maxChars);
