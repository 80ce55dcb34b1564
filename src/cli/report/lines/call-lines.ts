import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { isContent, paintDiff, withoutReturns } from '../../text/change-text.ts';
import { counted } from '../../text/format.ts';
import type { Style } from '../../text/style.ts';
import {
  callWords,
  createUnseenDiffs,
  MAX_CALLS,
  MAX_CHANGES,
  MAX_DIFF_LINES,
  outputEnd,
  unshownChanges,
} from '../call-text.ts';
import type { StepWord } from './line-words.ts';

interface CallLinesOptions {
  say(subtaskId: string, word: StepWord, text: string): void;
  line(text: string): void;
  readonly style: Style;
}

interface Step {
  /** Calls with a line of their own. */
  shown: number;
  /** Calls over the limit. */
  more: number;
  /** Changes that no question showed, also those over the limit. */
  changes: number;
  /** The last call, if it has no line. `isOver`: it should have one, but is over the limit. */
  last?: { readonly event: EventOf<'tool.answered'>; readonly isOver: boolean } | undefined;
}

/** Lines about the calls of a model: failed ones, commands, writes that no question showed, and the last of each step. */
export function createCallLines({ say, line, style }: CallLinesOptions) {
  let hasModel = false;
  const diffs = createUnseenDiffs();
  const steps = new Map<string, Step>();
  const stepOf = (id: string): Step => {
    const step = steps.get(id) ?? { shown: 0, more: 0, changes: 0 };
    steps.set(id, step);
    return step;
  };
  const showLast = (id: string, step: Step) => {
    if (!step.last) return;
    const { event } = step.last;
    const { request, result } = callWords(event);
    say(id, 'tool', request + result);
    for (const one of outputEnd(event)) line(style.dim(`  │ ${one}`));
    step.last = undefined;
  };
  const onCall = (event: EventOf<'tool.answered'>) => {
    const step = stepOf(event.subtask_id);
    if (step.last?.isOver) step.more += 1;
    const isWorthALine = callWords(event).result !== '';
    const isOver = isWorthALine && step.shown >= MAX_CALLS;
    step.last = { event, isOver };
    if (!isWorthALine || isOver) return;
    step.shown += 1;
    showLast(event.subtask_id, step);
  };
  const onWritten = (event: EventOf<'file.written'>) => {
    const diff = diffs.diffOf(event);
    if (diffs.wasSeen(event)) return;
    const step = stepOf(event.subtask_id);
    step.changes += 1;
    if (step.changes > MAX_CHANGES) return;
    showLast(event.subtask_id, step);
    if (diff === undefined) return;
    const lines = withoutReturns(diff).trimEnd().split('\n').filter(isContent);
    for (const one of lines.slice(0, MAX_DIFF_LINES)) line(`  │ ${paintDiff(one, style)}`);
    const rest = lines.length - MAX_DIFF_LINES;
    if (rest > 0) line(`  │ … ${counted(rest, 'more line')}`);
  };
  const onEnd = ({ subtask_id: id }: EventOf<'subtask.ended'>) => {
    const step = stepOf(id);
    if (step.more > 0) say(id, 'tool', counted(step.more, 'more call'));
    showLast(id, step);
    const unshown = step.changes - MAX_CHANGES;
    if (unshown > 0) say(id, 'tool', unshownChanges(unshown));
    steps.delete(id);
  };
  return (event: CapstanEvent): void => {
    if (event.type === 'provider.opened') hasModel = event.models.length > 0;
    if (!hasModel) return;
    if (event.type === 'approval.decided') diffs.onDecided(event);
    if (event.type === 'tool.answered') onCall(event);
    if (event.type === 'file.written') onWritten(event);
    if (event.type === 'subtask.ended') onEnd(event);
  };
}
