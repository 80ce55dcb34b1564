import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { oneLine } from '../../lists/cell-text.ts';
import { operationWords } from '../../report/operation-words.ts';
import { counted } from '../../text/format.ts';
import { shorten } from '../../text/shorten.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import { cutEnd } from '../terminal/text-width.ts';
import type { RunModel, ShownStep } from './run-model.ts';

/** Maximum number of calls of a step that are shown. */
const MAX_CALLS = 30;
/** Longest sentence of a model between its calls, in characters. */
const MAX_SENTENCE_CHARS = 300;

interface Shown {
  calls: number;
  /** Calls that were not shown: repeated, or over the limit. */
  more: number;
  lastCall: string;
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
  const steps = new Map<string, Shown>();
  const shownOf = (id: string): Shown => {
    const shown = steps.get(id) ?? {
      ...{ calls: 0, more: 0, lastCall: '', sentence: '' },
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
    return draw(event, { shown: shownOf(event.subtask_id), step, number, frame });
  };
}

interface StepContext {
  readonly shown: Shown;
  readonly step: ShownStep | undefined;
  /** `2 `; empty for an only step. */
  readonly number: string;
  readonly frame: Frame;
}

type Drawer<Event> = (event: Event, context: StepContext) => string[];

const drawers: { readonly [Type in CapstanEvent['type']]?: Drawer<EventOf<Type>> } = {
  'approval.asked': ({ intent_id }, { shown }) => {
    shown.asked.add(intent_id);
    return [];
  },
  'tool.requested': sentenceLines,
  'tool.answered': callLine,
  'subtask.ended': (_event, { shown, frame }) => restLine(shown, frame),
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
function callLine(
  event: EventOf<'tool.answered'>,
  { shown, number, frame: { style, symbols, width } }: StepContext,
): string[] {
  const isShown = shown.asked.delete(event.intent_id);
  if (isShown && event.ok && !event.exit_code) return [];
  const call = callText(event);
  if (call === shown.lastCall || shown.calls >= MAX_CALLS) {
    shown.more += 1;
    return [];
  }
  shown.calls += 1;
  shown.lastCall = call;
  return [style.dim(cutEnd(`  ${number}${call}`, width, symbols))];
}

function callText(event: EventOf<'tool.answered'>): string {
  const { tool, target, lines = '', ok, message, exit_code } = event;
  const request = `${operationWords(tool, target).request} ${lines}`.trim();
  if (!ok) return `${request}: ${oneLine(message ?? 'failed')}`;
  return exit_code ? `${request}: exit code ${exit_code}` : request;
}

/** `  … 12 more calls`, when the step has ended. */
function restLine(shown: Shown, { style, symbols }: Frame): string[] {
  const { more } = shown;
  shown.more = 0;
  return more === 0 ? [] : [style.dim(`  ${symbols.cut} ${counted(more, 'more call')}`)];
}
