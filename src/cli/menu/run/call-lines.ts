import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { oneLine } from '../../lists/cell-text.ts';
import {
  callWords,
  createUnseenDiffs,
  MAX_CALLS,
  MAX_CHANGES,
  MAX_DIFF_LINES,
  outputEnd,
  unshownChanges,
} from '../../report/call-text.ts';
import { operationWords } from '../../report/operation-words.ts';
import { counted } from '../../text/format.ts';
import { shorten } from '../../text/shorten.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import { markedProse, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';
import type { RunModel, ShownStep } from './run-model.ts';

/** Longest sentence of a model between its calls, in characters. */
const MAX_SENTENCE_CHARS = 300;

interface Shown {
  calls: number;
  /** Calls that were not shown: repeated, or over the limit. */
  more: number;
  /** Changes that no question showed, also those over the limit. */
  changes: number;
  lastCall: string;
  /** The last call, if it was not shown. */
  hidden: EventOf<'tool.answered'> | undefined;
  sentence: string;
  /** Intents that a question showed. */
  readonly asked: Set<string>;
}

/**
 * Draws what the model of a step does: its sentences before tool calls, one line for each call that ended, and how many were
 * left out. Nothing for a run without a model, whose answer says it.
 */
export function createCallLines() {
  let hasModel = false;
  const diffs = createUnseenDiffs();
  const steps = new Map<string, Shown>();
  const shownOf = (id: string): Shown => {
    const shown = steps.get(id) ?? {
      ...{ calls: 0, more: 0, changes: 0, lastCall: '', hidden: undefined, sentence: '' },
      asked: new Set(),
    };
    steps.set(id, shown);
    return shown;
  };
  return (event: CapstanEvent, model: RunModel, frame: Frame): readonly string[] => {
    if (event.type === 'provider.opened') hasModel = event.models.length > 0;
    const draw = drawers[event.type] as Drawer<CapstanEvent> | undefined;
    if (!hasModel || !draw || !('subtask_id' in event)) return [];
    const step = model.steps.find(({ id }) => id === event.subtask_id);
    const number = step && model.steps.length > 1 ? `${step.number} ` : '';
    return draw(event, { shown: shownOf(event.subtask_id), step, number, frame, diffs });
  };
}

interface StepContext {
  readonly shown: Shown;
  readonly step: ShownStep | undefined;
  /** `2 `; empty for an only step. */
  readonly number: string;
  readonly frame: Frame;
  readonly diffs: ReturnType<typeof createUnseenDiffs>;
}

type Drawer<Event> = (event: Event, context: StepContext) => string[];

const drawers: { readonly [Type in CapstanEvent['type']]?: Drawer<EventOf<Type>> } = {
  'approval.asked': ({ intent_id }, { shown }) => {
    shown.asked.add(intent_id);
    return [];
  },
  'approval.decided': (event, { diffs }) => {
    diffs.onDecided(event);
    return [];
  },
  'tool.requested': sentenceLines,
  'tool.answered': callLine,
  'intent.denied': deniedLine,
  'file.written': diffLines,
  'subtask.ended': (_event, { shown, number, frame }) => restLines(shown, number, frame),
};

/** The words of the model before its calls, once. */
function sentenceLines(
  { reason }: EventOf<'tool.requested'>,
  { shown, step, frame }: StepContext,
): string[] {
  const sentence = joined(reason);
  if (sentence === shown.sentence || shown.calls >= MAX_CALLS) return [];
  shown.sentence = sentence;
  const text = shorten(escapeText(sentence), MAX_SENTENCE_CHARS);
  return sentence === '' || sentence === joined(step?.description ?? '')
    ? []
    : wrapProse(text, frame.width - 2).map((line) => `  ${line}`);
}

const joined = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** `  read src/cart.js`, `  2 run npm test: exit code 1` */
function callLine(event: EventOf<'tool.answered'>, context: StepContext): string[] {
  const { shown } = context;
  shown.hidden = undefined;
  const isAllowed = shown.asked.delete(event.intent_id);
  const { request, result } = callWords(event);
  if (isAllowed && result === '') return [];
  const call = request + result;
  if (call === shown.lastCall || shown.calls >= MAX_CALLS) {
    shown.more += 1;
    shown.hidden = event;
    return [];
  }
  shown.calls += 1;
  shown.lastCall = call;
  return drawCall(event, context);
}

/** The request is cut to what its result leaves, at least to half a line. The result is never cut. */
function drawCall(
  event: EventOf<'tool.answered'>,
  { number, frame }: Pick<StepContext, 'number' | 'frame'>,
): string[] {
  const { style, symbols, width } = frame;
  const { request, result } = callWords(event);
  const head = `  ${number}`;
  const room = Math.max(Math.floor(width / 2), width - textWidth(head + result));
  const lines = wrapProse(cutEnd(request, room, symbols) + result, width, head);
  const output = outputEnd(event).map((line) => cutEnd(`    ${line}`, width, symbols));
  return [...lines, ...output].map(style.dim);
}

/** A call that was refused without a question: `  read .env: It is a protected path.` */
function deniedLine(
  { intent_id, what, sentence }: EventOf<'intent.denied'>,
  context: StepContext,
): string[] {
  const { shown, frame, number } = context;
  if (shown.asked.delete(intent_id)) return [];
  if (shown.calls >= MAX_CALLS) {
    shown.more += 1;
    return [];
  }
  shown.calls += 1;
  const [operation = '', ...target] = what.split(' ');
  const { request } = operationWords(operation, target.join(' '));
  const { style, symbols, width } = frame;
  const text = `${number}Denied: ${request}: ${oneLine(sentence)}`;
  return markedProse(text, width, { mark: symbols.failed, paint: style.red });
}

/** What a call changed in a file, if no question showed it. */
function diffLines(event: EventOf<'file.written'>, context: StepContext): string[] {
  const { shown, frame, diffs } = context;
  const diff = diffs.diffOf(event);
  if (diff === undefined) return [];
  shown.changes += 1;
  if (shown.changes > MAX_CHANGES) return [];
  const head = hiddenLine(context);
  const lines = drawDiff(diff, frame);
  const rest = lines.length - MAX_DIFF_LINES;
  const more = rest > 0 ? [`  ${frame.symbols.cut} ${counted(rest, 'more line')} · /diff`] : [];
  return [...head, ...lines.slice(0, MAX_DIFF_LINES), ...more.map(frame.style.dim)];
}

function hiddenLine(context: Pick<StepContext, 'shown' | 'number' | 'frame'>): string[] {
  const { shown } = context;
  if (shown.hidden === undefined) return [];
  const lines = drawCall(shown.hidden, context);
  shown.more -= 1;
  shown.hidden = undefined;
  return lines;
}

/** `  … 12 more calls`, the last call, and how many changes were left out, when the step has ended. */
function restLines(shown: Shown, number: string, frame: Frame): string[] {
  const last = hiddenLine({ shown, number, frame });
  const { more } = shown;
  const unshown = shown.changes - MAX_CHANGES;
  shown.more = 0;
  shown.changes = 0;
  const { style, symbols } = frame;
  const rest = more === 0 ? [] : [style.dim(`  ${symbols.cut} ${counted(more, 'more call')}`)];
  const changes =
    unshown > 0 ? [style.dim(`  ${symbols.cut} ${unshownChanges(unshown)} · /diff`)] : [];
  return [...rest, ...last, ...changes];
}
