import type { CapstanEvent } from '../../../../contract/event.ts';
import type { PartContext } from '../../menu-context.ts';
import type { OpenQuestionPart, QuestionPart } from '../../question/question-part.ts';
import {
  createWaitingQuestions,
  type ListChange,
  type ListedQuestion,
} from '../runs/waiting-questions.ts';

/** The open questions, and the one that has the focus. */
export interface QuestionFocus {
  onEvent(event: CapstanEvent): void;
  /** The question whose key line is drawn and that gets the keys. */
  focused(): QuestionPart | undefined;
  /** The number of open questions, without the one in focus. */
  waiting(): number;
  /** The number of open questions of a run that were not skipped. */
  unskippedOf(runId: string): number;
  /** Gives the keys to the line. `toQuestion` gives them back to the question. */
  toLine(): void;
  /** Tab: opens the oldest question, also one that was skipped. Returns false if none waits. */
  toQuestion(): boolean;
  /** Reports a key, because a question takes the focus only after a pause in typing. */
  onKey(isLineEmpty: boolean): void;
  close(): void;
}

export interface QuestionFocusParts {
  readonly context: PartContext;
  readonly openQuestionPart: OpenQuestionPart;
  /** Whether a view or a confirmation has the keys. */
  readonly isBusy: () => boolean;
  /** Called when no question has the focus any more. */
  readonly onFree: () => void;
  /** Called when the person has skipped a question of this run. */
  readonly onSkip: (runId: string) => void;
}

/** A question takes the focus after this time without a key, in milliseconds. */
const PAUSE_MS = 500;

interface Focus {
  open: { readonly question: ListedQuestion; readonly part: QuestionPart } | undefined;
  isOpening: boolean;
  /** The person moved to the line. */
  isAway: boolean;
  isLineEmpty: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Manages which open question has the focus: the oldest, while the line is empty and nobody types. */
export function createQuestionFocus(parts: QuestionFocusParts): QuestionFocus {
  const questions = createWaitingQuestions();
  const focus: Focus = {
    open: undefined,
    isOpening: false,
    isAway: false,
    isLineEmpty: true,
    timer: undefined,
  };
  const isFree = () => !focus.open && !focus.isOpening && !focus.isAway && focus.isLineEmpty;
  const open = (question: ListedQuestion) => {
    void openOne(question, { ...parts, focus, questions, onClosed: schedule });
  };
  const schedule = () => {
    clearTimeout(focus.timer);
    if (!questions.next()) return;
    focus.timer = setTimeout(() => {
      const next = questions.next();
      if (next && parts.isBusy()) schedule();
      else if (next && isFree()) open(next);
    }, PAUSE_MS);
  };

  return {
    onEvent(event) {
      const change = questions.note(event);
      if (change?.what === 'closed') closeOpen(focus, change);
      if (change?.what !== 'asked') return;
      parts.context.bell('Capstan: a question waits');
      schedule();
    },
    focused: () => (focus.isAway ? undefined : focus.open?.part),
    waiting: () => questions.all.length - (focus.open && !focus.isAway ? 1 : 0),
    unskippedOf: (id) => questions.all.filter((one) => one.runId === id && !one.isSkipped).length,
    toLine() {
      focus.isAway = true;
      parts.onFree();
    },
    toQuestion() {
      focus.isAway = false;
      const [next] = questions.all;
      if (focus.open) return true;
      if (!next || focus.isOpening) return false;
      open(next);
      return true;
    },
    onKey(isEmpty) {
      focus.isLineEmpty = isEmpty;
      schedule();
    },
    close: () => clearTimeout(focus.timer),
  };
}

/** Closes the open question if it was answered elsewhere or its run no longer waits. */
function closeOpen({ open }: Focus, { questions, by }: Extract<ListChange, { what: 'closed' }>) {
  if (!open || !questions.includes(open.question)) return;
  if (by) open.part.closeElsewhere(by.answer, by.by);
  else open.part.skip();
}

interface Opening extends QuestionFocusParts {
  readonly focus: Focus;
  readonly questions: ReturnType<typeof createWaitingQuestions>;
  readonly onClosed: () => void;
}

/** Gives the focus to a question until it is answered or skipped. */
async function openOne(question: ListedQuestion, opening: Opening): Promise<void> {
  const { context, focus, questions } = opening;
  focus.isOpening = true;
  try {
    const place = { index: questions.all.indexOf(question) + 1, count: questions.all.length };
    const part = await opening.openQuestionPart(question, context, place);
    focus.isOpening = false;
    if (!part) return questions.remove(question);
    focus.open = { question, part };
    focus.isAway = false;
    context.redraw();
    const isGone = !questions.all.includes(question);
    if (isGone) part.skip();
    const how = await part.done;
    if (how === 'answered') questions.remove(question);
    question.isSkipped = true;
    if (how === 'skipped' && !isGone) opening.onSkip(question.runId);
  } catch (error) {
    questions.remove(question);
    context.fail(error);
  } finally {
    focus.isOpening = false;
    focus.open = undefined;
    opening.onFree();
    opening.onClosed();
    context.redraw();
  }
}
