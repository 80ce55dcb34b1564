import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CapstanEvent, EventOf, TextDelta } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { oneLine } from '../../lists/cell-text.ts';
import { isShownAt } from '../../options/log-level.ts';
import { reasonWords } from '../../report/closing-lines.ts';
import { noticeText } from '../../report/lines/notice-text.ts';
import { formatCost, formatSeconds } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { FIXED_SPACE, fixed, markedProse, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import type { PartContext } from '../program/part-context.ts';
import { decidedLines } from '../question/answer-lines.ts';
import { wasAskedHere } from '../question/asked-here.ts';
import { createCallLines } from './call-lines.ts';
import { cutTextLines, type LiveOptions, liveLines } from './live-lines.ts';
import { focusNext, reduceDelta, reduceRun, seedRun } from './reduce-run.ts';
import { answerLines, endLines } from './result-lines.ts';
import type { ShownStep } from './run-model.ts';
import { emptyRun, type RunModel } from './run-model.ts';

/** A started or followed run that a part shows. */
export type ShownRun = Pick<StartedRun, 'id'> &
  Partial<Pick<StartedRun, 'provider' | 'isolation' | 'notices' | 'logLevel'>>;

type RunPartContext = Pick<PartContext, 'capstan' | 'frame' | 'print' | 'keepFolded' | 'redraw'>;

/** Draws one run. It prints finished steps with `context.print`, and handles no keys and no questions. */
export type RunPart = ReturnType<typeof openRunPart>;

/**
 * Opens the part of a run and prints its notices; its first line follows once its model is known.
 *
 * @param shell Of a run outside a conversation: whether the answer is printed here.
 */
export function openRunPart(
  run: ShownRun,
  context: RunPartContext,
  shell?: { readonly showsAnswer: boolean },
) {
  let model: RunModel = emptyRun;
  let money: Money = { budgetUsd: null, free: '' };
  const asked = new Map<string, EventOf<'approval.asked'>>();
  const callLines = createCallLines();
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) context.print(lines.join('\n'));
  };
  const seed = async () => {
    // If the steps can't be read, the live lines only lack the earlier ones.
    const found = await context.capstan.runs.get(run.id).catch(() => undefined);
    if (found) model = seedRun(model, found.document);
    context.redraw();
  };
  for (const notice of run.notices ?? []) print(markedLines(notice, context.frame()));

  const linesOf: { [Type in CapstanEvent['type']]?: (event: EventOf<Type>) => readonly string[] } =
    {
      'provider.opened': (event) => {
        money = moneyOf(event);
        return [firstLine(run, { models: event.models, money }, context.frame())];
      },
      'plan.made': () => planLines(model, context.frame()),
      'subtask.ended': (event) => {
        const step = model.steps.find(({ id }) => id === event.subtask_id);
        // The result of the only step is the answer, which follows.
        const isAnswer = model.steps.length === 1 && event.status === 'completed';
        return step && !isAnswer ? stepEndLines(step, event, context.frame()) : [];
      },
      'message.received': (event) =>
        event.by === 'terminal' ? [] : messageLines(event, context.frame()),
      'approval.asked': (event) => {
        asked.set(event.approval_id, event);
        return [];
      },
      'approval.decided': (event) => {
        const question = asked.get(event.approval_id);
        const isShown = event.by === 'terminal' || wasAskedHere(event.approval_id);
        return question && !isShown ? decidedLines(question, event, context.frame()) : [];
      },
    };
  const onPrinted = (event: CapstanEvent): readonly string[] => {
    const lines = linesOf[event.type] as ((event: CapstanEvent) => readonly string[]) | undefined;
    return lines?.(event) ?? noticeLines(event, context.frame());
  };

  return {
    /** Every event of the run, in order. */
    onEvent(event: CapstanEvent) {
      print(cutTextLines(model, event, context.frame()));
      model = reduceRun(model, event);
      if (event.type === 'run.resumed') void seed();
      const lines = [...callLines(event, model, context.frame()), ...onPrinted(event)];
      print(lines);
      if (lines.length === 0 && isShownAt('debug', run.logLevel ?? 'info'))
        print([debugLine(event, context.frame())]);
      context.redraw();
    },
    onDelta(delta: TextDelta) {
      model = reduceDelta(model, delta);
      context.redraw();
    },
    /**
     * Draws at most `frame.rows` lines: unfinished steps, the end of the streamed text, the budget. With `isQuestion`, only
     * working steps and the budget are drawn, because a question has the focus.
     */
    draw: (frame: Frame, { isQuestion }: { readonly isQuestion: boolean }): readonly string[] =>
      liveLines(model, frame, { isQuestion, wallMs: Date.now(), ...money }),
    /** Tab: shows the text of the next step that streams. Returns false if there is no other. */
    showNextStep() {
      const next = focusNext(model);
      if (next) model = next;
      return next !== undefined;
    },
    /** Prints the result and the closing lines. Called once, last. */
    async finish(document: RunDocument) {
      const frame = context.frame();
      const changes = await context.capstan.runs.diff(document.run_id).catch(() => undefined);
      const answer = answerLines(document, frame, false);
      if (shell?.showsAnswer !== false) print(shell ? answer : answerLines(document, frame, true));
      if (answer.length > 0) context.keepFolded(answer.join('\n'));
      const at = shell ? 'shell' : 'conversation';
      const { waitedMs } = model;
      print(endLines(closedRun(document, model), frame, { changes, at, waitedMs }));
    },
  };
}

function messageLines({ text, by }: EventOf<'message.received'>, { width, symbols }: Frame) {
  return wrapProse(`${escapeText(text)} (${escapeText(by)})`, width, `${symbols.prompt} `);
}

/** `claude-sonnet-5 · sandbox A · at most $1.00 · run 3f9c0a12` */
function firstLine(
  run: ShownRun,
  { models, money }: { readonly models: readonly string[]; readonly money: Money },
  { style, symbols, width }: Frame,
): string {
  const { budgetUsd } = money;
  const [level = ''] = (run.isolation ?? '').split(':');
  const parts = [
    ...(models.length > 0
      ? [
          [...new Set(models)]
            .slice(0, 3)
            .map((name) => escapeText(name))
            .join(', '),
        ]
      : ['no model']),
    ...(level === '' ? [] : [level === 'none' ? 'no sandbox' : `sandbox ${level}`]),
    ...(budgetUsd === null ? [] : [`at most ${formatCost(budgetUsd)}`]),
    `run ${shortId(run.id)}`,
  ];
  return wrapProse(parts.join(symbols.separator), width - 2)
    .map((line) => style.dim(`  ${line}`))
    .join('\n');
}

type Money = Pick<LiveOptions, 'budgetUsd' | 'free'>;

const moneyOf = ({ models, limit_usd }: EventOf<'provider.opened'>): Money => ({
  budgetUsd: limit_usd,
  free: limit_usd === null && models.length > 0 ? 'free (local model)' : '',
});

/** Longest text of a step in the plan, in characters. */
const MAX_STEP_CHARS = 60;

/**
 * Draws the steps that have not started: `Plan: 1 Run the cart tests · 2 Fix the cause (after 1)`. A plan of one step is
 * not drawn, because it repeats the task.
 */
function planLines({ steps }: RunModel, { width, symbols, style }: Frame): string[] {
  const open = steps.filter(({ state }) => state === 'waiting');
  if (steps.length < 2 || open.length === 0) return [];
  const texts = open.map(({ number, description, after }) => {
    const needs = after.length > 0 ? ` (after ${after.join(', ')})` : '';
    return `${number}${FIXED_SPACE}${shorten(description, MAX_STEP_CHARS)}${needs}`;
  });
  return wrapProse(`Plan: ${texts.join(symbols.separator)}`, width - 2).map((line) =>
    style.dim(`  ${line}`),
  );
}

/**
 * Draws the notice of an event, if it has one that neither the ended step nor a live line shows:
 * `! file-clerk remembered: prices are in euros`
 */
function noticeLines(event: CapstanEvent, frame: Frame): string[] {
  const text = /^model\.(?:answered|delayed)$/.test(event.type) ? undefined : noticeText(event);
  return text === undefined ? [] : markedLines(text, frame);
}

/** A run with why its model failed, if it was stopped between its tries. */
const closedRun = (document: RunDocument, { trouble: message }: RunModel): RunDocument =>
  document.reason === 'interrupted' && message !== ''
    ? { ...document, error: { code: 'PROVIDER_FAILED', message } }
    : document;

/** Draws one notice. The text may be untrusted. */
function markedLines(text: string, { style, symbols, width }: Frame): string[] {
  return markedProse(shorten(text, 500), width, { mark: symbols.notice, paint: style.yellow });
}

/** Draws an event at log level `debug`: `  subtask.routed {"score":0.87,…}` */
function debugLine(
  { type, at: _at, run_id: _run, ...rest }: CapstanEvent,
  { style }: Frame,
): string {
  return style.dim(escapeText(`  ${type} ${shorten(JSON.stringify(rest), 300)}`));
}

type Ended = EventOf<'subtask.ended'>;

/** Draws an ended step: `✓ 1 Ran the cart tests: 2 of 14 fail · 4.1 s · $0.04`. */
function stepEndLines(step: ShownStep, event: Ended, frame: Frame): string[] {
  const { style, symbols, width } = frame;
  const isDone = event.status === 'completed';
  const isSkipped = event.status === 'skipped';
  const mark = isDone ? symbols.done : isSkipped ? symbols.skipped : symbols.failed;
  const facts = [
    ...(event.duration_ms > 0 ? [formatSeconds(event.duration_ms)] : []),
    ...(step.costUsd > 0 ? [formatCost(step.costUsd)] : []),
  ].map((fact) => fixed(`${symbols.separator}${fact}`).replace(FIXED_SPACE, ' '));
  const paint = isDone ? style.green : isSkipped ? style.dim : style.red;
  const text = `${textOf(step, event)}${style.dim(facts.join(''))}`;
  const head = `${mark} ${step.number} `;
  const [first = '', ...rest] = wrapProse(text, width, head);
  return [`${paint(mark)}${first.slice(mark.length)}`, ...rest];
}

function textOf(step: ShownStep, { status, summary, reason, message }: Ended): string {
  const description = oneLine(step.description);
  if (status === 'completed') return summary === undefined ? description : oneLine(summary);
  if (status === 'skipped') {
    const needs = step.after.length > 0 ? `: needs ${step.after.join(', ')}` : '';
    return `${description} · skipped${needs}`;
  }
  if (status === 'cancelled') return `${description} · cancelled`;
  const isDenied = reason === 'denied' || reason === 'expired';
  const why = message ?? (reason === null ? '' : reasonWords(reason));
  const [line = ''] = why.trim().split('\n', 1);
  return `${description} · ${isDenied ? 'denied' : 'failed'}${line === '' ? '' : `: ${oneLine(line)}`}`;
}
