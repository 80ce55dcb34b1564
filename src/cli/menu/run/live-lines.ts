import { stepCounts } from '../../../app/runs/show/step-counts.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { formatCost, formatTokens } from '../../text/format.ts';
import { shorten } from '../../text/shorten.ts';
import { fixed, markedProse, wrapProse } from '../draw/wrap-prose.ts';
import { type Frame, spinnerAt } from '../frame.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';
import { focused } from './reduce-run.ts';
import type { RunModel, ShownStep } from './run-model.ts';

/** The context of the live lines, besides the run. */
export interface LiveOptions {
  /** A question has the focus: only working steps and the budget are drawn. */
  readonly isQuestion: boolean;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  /** Null if the model is free or there is none. */
  readonly budgetUsd: number | null;
  /** `free (local model)`; empty for no model. Used if `budgetUsd` is null. */
  readonly free: string;
}

/** Minimum width of the text of a step, in columns. */
const MIN_TEXT = 30;
const MAX_TAIL = 8;
const SMALL_TAIL = 3;

/**
 * Draws the live lines of a run, at most `frame.rows`: unfinished steps, the end of the streamed text, the budget. If
 * space is short, the streamed text shrinks first (to 3 lines, then to none), then waiting steps, then working steps.
 */
export function liveLines(model: RunModel, frame: Frame, options: LiveOptions): string[] {
  if (frame.rows <= 0) return [];
  const budget = budgetLine(model, frame, options);
  const below = [...delayLines(model, frame, options), budget].slice(-Math.max(1, frame.rows - 1));
  const open = model.steps.filter(({ state }) => state !== 'ended');
  const working = open.filter(({ state }) =>
    options.isQuestion ? state === 'working' : state !== 'waiting',
  );
  const waiting = options.isQuestion ? [] : open.filter(({ state }) => state === 'waiting');
  const lines = {
    working: stepLines(working, open, frame, options),
    waiting: stepLines(waiting, open, frame, options),
  };
  const isSmall = frame.columns < 40 || frame.rows < 8;
  if (isSmall) return below;
  const tail = options.isQuestion ? [] : tailLines(model, frame);
  const room = frame.rows - below.length;
  const shownTail = fitTail(tail, room - lines.working.length - lines.waiting.length);
  const left = room - shownTail.length;
  const shownWorking = fold(
    lines.working,
    Math.max(1, left - Math.min(lines.waiting.length, 1)),
    (count) => foldLine(`${spinnerAt(frame)} ${count} more work`, frame),
  );
  const shownWaiting = fold(lines.waiting, left - shownWorking.length, (count) =>
    foldLine(`${frame.symbols.waiting} ${count} more wait`, frame),
  );
  const drawn = [...shownWorking, ...shownWaiting, ...shownTail, ...below];
  return options.isQuestion || drawn.length >= frame.rows ? drawn : ['', ...drawn];
}

const foldLine = (text: string, { style, width, symbols }: Frame): string =>
  style.dim(cutEnd(text, width, symbols));

function fold(lines: readonly string[], room: number, rest: (count: number) => string): string[] {
  if (lines.length <= room) return [...lines];
  if (room < 1) return [];
  return [...lines.slice(0, room - 1), rest(lines.length - room + 1)];
}

/** The streamed text with a blank line on both sides, or less, or nothing. */
function fitTail(tail: readonly string[], room: number): string[] {
  if (tail.length === 0) return [];
  for (const lines of [tail, tail.slice(-SMALL_TAIL)]) {
    if (lines.length + 2 <= room) return ['', ...lines, ''];
  }
  return [];
}

function tailLines(model: RunModel, { width, isReduced }: Frame): string[] {
  const text = focused(model)?.end ?? '';
  const whole = isReduced ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  const last = whole.trimEnd().split('\n').slice(-MAX_TAIL).join('\n');
  return last === '' ? [] : textLines(last, width).slice(-MAX_TAIL);
}

function textLines(text: string, width: number): string[] {
  const lines = escapeText(text.trimEnd().replaceAll('\t', '  '), true)
    .split('\n')
    .flatMap((line) => wrapHard(line, width - 2));
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

/** The end of the text that a model had written when its call failed or was stopped. @param event Not yet in the model. */
export function cutTextLines(
  { texts }: RunModel,
  event: CapstanEvent,
  { width, style, symbols }: Frame,
): string[] {
  if (event.type !== 'model.answered' || event.ok) return [];
  const text = texts.get(event.intent_id)?.end ?? '';
  if (text.trim() === '') return [];
  return [...textLines(text, width), style.dim(`  ${symbols.cut} its text ends here`)];
}

/** Live lines never wrap by themselves, so a long word is broken here. */
function wrapHard(line: string, width: number): string[] {
  return wrapProse(line, width).flatMap((one) => {
    const parts: string[] = [];
    let rest = one;
    while (textWidth(rest) > width) {
      const head = cutEnd(rest, width, { cut: '' });
      if (head === '') break;
      parts.push(head);
      rest = rest.slice(head.length);
    }
    return [...parts, rest];
  });
}

function stepLines(
  steps: readonly ShownStep[],
  all: readonly ShownStep[],
  frame: Frame,
  options: LiveOptions,
) {
  const widest = Math.max(0, ...all.map(({ description }) => textWidth(firstLine(description))));
  const digits = String(Math.max(0, ...all.map(({ number }) => number))).length;
  return steps.map((step) => stepLine(step, { widest, digits }, frame, options));
}

interface Columns {
  /** Width of the widest text. */
  readonly widest: number;
  /** Digits of the highest step number. */
  readonly digits: number;
}

function stepLine(
  step: ShownStep,
  { widest, digits }: Columns,
  frame: Frame,
  { wallMs }: LiveOptions,
): string {
  const { style, width, symbols } = frame;
  const head = `${markOf(step, frame)} ${String(step.number).padStart(digits)} `;
  const room = width - textWidth(head);
  const facts = fittingFacts(factsOf(step, frame, wallMs), room);
  const factsWidth = facts.reduce((sum, { text }) => sum + 2 + textWidth(text), 0);
  const space = Math.min(widest, Math.max(8, room - factsWidth));
  const text = cutEnd(firstLine(step.description), space, symbols);
  const padding = facts.length > 0 ? ' '.repeat(Math.max(0, space - textWidth(text))) : '';
  const shown = facts
    .map(({ text: fact, isDim }) => `  ${isDim ? style.dim(fact) : fact}`)
    .join('');
  const isWaiting = step.state === 'waiting';
  return `${head}${isWaiting ? style.dim(text) : text}${padding}${shown}`;
}

interface Fact {
  readonly text: string;
  readonly isDim: boolean;
  /** The highest rank is dropped first when space is short; 0 stays. */
  readonly rank: number;
}

function fittingFacts(facts: readonly Fact[], room: number): readonly Fact[] {
  const needed = facts.reduce((sum, { text }) => sum + 2 + textWidth(text), 0);
  const last = Math.max(...facts.map(({ rank }) => rank));
  if (room - needed >= MIN_TEXT || last <= 0) return facts;
  return fittingFacts(
    facts.filter(({ rank }) => rank !== last),
    room,
  );
}

function factsOf(step: ShownStep, frame: Frame, wallMs: number): readonly Fact[] {
  const fact = (text: string, rank: number, isDim = true): Fact => ({ text, rank, isDim });
  if (step.state === 'waiting') {
    return step.after.length > 0 ? [fact(`after ${step.after.join(', ')}`, 0)] : [];
  }
  const capsule = step.capsule === undefined ? [] : [fact(escapeText(step.capsule), 2)];
  if (step.state === 'asking') return [...capsule, fact('waits for you', 0, false)];
  const sinceMs = step.callMs ?? step.startedMs ?? wallMs;
  const seconds = Math.max(0, Math.floor((wallMs - sinceMs) / 1_000));
  return [
    ...capsule,
    fact(step.verb, 0, false),
    fact(elapsed(seconds, frame), 0),
    ...(step.tokens > 0 ? [fact(formatTokens(step.tokens), 3)] : []),
    ...(step.costUsd > 0 ? [fact(formatCost(step.costUsd), 1)] : []),
  ];
}

const elapsed = (seconds: number, { isReduced }: Frame): string => {
  const shown = isReduced ? seconds - (seconds % 5) : seconds;
  return shown < 60
    ? `${shown} s`
    : `${Math.floor(shown / 60)} min ${String(shown % 60).padStart(2, '0')} s`;
};

function markOf({ state }: ShownStep, frame: Frame): string {
  const { style, symbols } = frame;
  if (state === 'waiting') return style.dim(symbols.waiting);
  return state === 'asking'
    ? style.bold(style.yellow(symbols.question))
    : style.cyan(spinnerAt(frame));
}

/** Longest problem of a model call, in characters. */
const MAX_PROBLEM_CHARS = 240;

/** `! openai is busy (trying again in 13 s)`, until the next try begins. */
function delayLines(
  { delay }: RunModel,
  { style, symbols, width }: Frame,
  { wallMs }: Pick<LiveOptions, 'wallMs'>,
): readonly string[] {
  const seconds = Math.ceil(((delay?.untilMs ?? 0) - wallMs) / 1_000);
  if (!delay || seconds <= 0) return [];
  const text = `${shorten(delay.problem.trim(), MAX_PROBLEM_CHARS)} (${fixed(`trying again in ${seconds} s`)})`;
  const lines = markedProse(text, width, { mark: symbols.notice, paint: style.yellow });
  return lines.map((line) => cutEnd(line, width, symbols));
}

const BAR_CELLS = 12;
const NEARLY = 0.8;

/** Draws `██░░░░░░░░░░ $0.17 of $1.00 · 16 s · 1 of 3 done`, indented by 2. */
function budgetLine(
  model: RunModel,
  frame: Frame,
  { budgetUsd, free, wallMs }: LiveOptions,
): string {
  const { symbols, style, width } = frame;
  const isWorking =
    model.steps.length === 0 || model.steps.some(({ state }) => state === 'working');
  const untilMs = isWorking && !model.isEnded ? wallMs : model.lastMs;
  const passedMs = untilMs - (model.startedMs || untilMs) - model.waitedMs;
  const seconds = Math.max(0, Math.floor(passedMs / 1_000));
  const steps = model.steps.length;
  const rest = [
    elapsed(seconds, frame),
    ...(steps > 0 ? [`${stepCounts(model.steps).done} of ${steps} done`] : ['planning']),
  ];
  const hasMoney = budgetUsd !== null && budgetUsd > 0;
  const money = hasMoney
    ? [`${formatCost(model.costUsd)} of ${formatCost(budgetUsd)}`]
    : free === ''
      ? []
      : [free];
  const facts = [...money, ...rest].join(symbols.separator);
  if (!hasMoney || width < 40) return cutEnd(`  ${facts}`, width, symbols);
  const share = Math.min(1, model.costUsd / budgetUsd);
  const full = Math.round(share * BAR_CELLS);
  const bar = symbols.barFull.repeat(full) + symbols.barRest.repeat(BAR_CELLS - full);
  return cutEnd(
    `  ${share >= NEARLY ? style.yellow(bar) : style.dim(bar)} ${facts}`,
    width,
    symbols,
  );
}

const firstLine = (text: string): string => escapeText((text.split('\n')[0] ?? '').trim());
