import type { CapstanEvent } from '../../../../contract/event.ts';
import { openQuestionPart } from '../../question/open-question-part.ts';
import type { OpenedQuestion, QuestionPart } from '../../question/question-part.ts';
import type { PartContext } from '../part-context.ts';

interface QuestionFocusParts {
  /** The context for the questions of a run. */
  readonly contextOf: (runId: string) => PartContext;
  /** Whether a view or a confirmation has the keys. */
  readonly isBusy: () => boolean;
  /** Called when no question has the focus any more. */
  readonly onFree: () => void;
  /** Called when the person has skipped a question of this run. */
  readonly onSkip: (runId: string) => void;
}

/** An open question of a live run. */
interface Waiting {
  readonly id: string;
  readonly runId: string;
  isSkipped: boolean;
}

/** A question takes the focus after this time without a key, in milliseconds. */
const PAUSE_MS = 500;

interface Focus {
  /** The open questions, oldest first. */
  waiting: readonly Waiting[];
  open: { readonly question: Waiting; readonly part: OpenedQuestion } | undefined;
  isOpening: boolean;
  /** The person moved to the line. */
  isAway: boolean;
  isLineEmpty: boolean;
  timer: NodeJS.Timeout | undefined;
}

export type QuestionFocus = ReturnType<typeof createQuestionFocus>;

/** Manages which open question has the focus: the oldest, while the line is empty and nobody types. */
export function createQuestionFocus(parts: QuestionFocusParts) {
  const focus: Focus = {
    ...{ waiting: [], open: undefined, isOpening: false, isAway: false, isLineEmpty: true },
    timer: undefined,
  };
  const isFree = () => !focus.open && !focus.isOpening && !focus.isAway && focus.isLineEmpty;
  const next = () => focus.waiting.find(({ isSkipped }) => !isSkipped);
  const open = (question: Waiting) =>
    void openOne(question, focus, parts).finally(() => {
      schedule();
      parts.contextOf(question.runId).redraw();
    });
  const schedule = () => {
    clearTimeout(focus.timer);
    if (!next()) return;
    focus.timer = setTimeout(() => {
      const question = next();
      if (question && parts.isBusy()) schedule();
      else if (question && isFree()) open(question);
    }, PAUSE_MS);
  };
  return {
    onEvent(event: CapstanEvent) {
      if (event.type === 'approval.asked') {
        const { approval_id: id, run_id: runId } = event;
        if (focus.waiting.some((one) => one.id === id)) return;
        focus.waiting = [...focus.waiting, { id, runId, isSkipped: false }];
        parts.contextOf(runId).bell('Capstan: a question waits');
        schedule();
      } else if (event.type === 'approval.decided') {
        const part = close(focus, ({ id }) => id === event.approval_id);
        part?.closeElsewhere(event.answer, event.by);
      } else if (event.type === 'run.ended')
        close(focus, ({ runId }) => runId === event.run_id)?.skip();
    },
    /** The question whose key line is drawn and that gets the keys. */
    focused: () => (focus.isAway ? undefined : focus.open?.part),
    /** The number of open questions, without the one in focus. */
    waiting: () => focus.waiting.length - (focus.open && !focus.isAway ? 1 : 0),
    /** The number of open questions of a run that were not skipped. */
    unskippedOf: (runId: string) =>
      focus.waiting.filter((one) => one.runId === runId && !one.isSkipped).length,
    /** Gives the keys to the line. `toQuestion` gives them back to the question. */
    toLine() {
      focus.isAway = true;
      parts.onFree();
    },
    /** Tab: opens the oldest question, also one that was skipped. Returns false if none waits. */
    toQuestion() {
      focus.isAway = false;
      const [oldest] = focus.waiting;
      if (focus.open) return true;
      if (!oldest || focus.isOpening) return false;
      open(oldest);
      return true;
    },
    /** Reports a key, because a question takes the focus only after a pause in typing. */
    onKey(isLineEmpty: boolean) {
      focus.isLineEmpty = isLineEmpty;
      schedule();
    },
    close: () => clearTimeout(focus.timer),
  };
}

/** Removes questions that no longer wait. Returns the part of the open one if it is among them. */
function close(focus: Focus, isClosed: (question: Waiting) => boolean): QuestionPart | undefined {
  const closed = focus.waiting.filter(isClosed);
  focus.waiting = focus.waiting.filter((one) => !closed.includes(one));
  const { open } = focus;
  return open && closed.includes(open.question) ? open.part : undefined;
}

/** Gives the focus to a question until it is answered or skipped. Never rejects. */
async function openOne(question: Waiting, focus: Focus, parts: QuestionFocusParts): Promise<void> {
  const context = parts.contextOf(question.runId);
  const remove = () => void close(focus, (one) => one === question);
  focus.isOpening = true;
  try {
    const place = { index: focus.waiting.indexOf(question) + 1, count: focus.waiting.length };
    const part = await openQuestionPart(question.id, context, place);
    focus.isOpening = false;
    if (!part) return remove();
    focus.open = { question, part };
    focus.isAway = false;
    context.redraw();
    const isGone = !focus.waiting.includes(question);
    if (isGone) part.skip();
    const how = await part.done;
    if (how === 'answered') remove();
    question.isSkipped = true;
    if (how === 'skipped' && !isGone) parts.onSkip(question.runId);
  } catch (error) {
    remove();
    context.fail(error);
  } finally {
    focus.isOpening = false;
    focus.open = undefined;
    parts.onFree();
  }
}
