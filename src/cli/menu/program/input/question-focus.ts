import type { CapstanEvent } from '../../../../contract/event.ts';
import { openQuestionPart } from '../../question/open-question-part.ts';
import type { QuestionPart } from '../../question/question-part.ts';
import type { PartContext } from '../create-context.ts';

interface QuestionFocusParts {
  readonly context: PartContext;
  /** Whether a view or a confirmation has the keys. */
  readonly isBusy: () => boolean;
  /** Called when no question has the focus any more. */
  readonly onFree: () => void;
  /** Called when the person has skipped a question of this run. */
  readonly onSkip: (runId: string) => void;
}

/** An open question. */
interface Waiting {
  readonly id: string;
  readonly runId: string;
  isSkipped: boolean;
}

/** A question takes the focus after this time without a key, in milliseconds. */
const PAUSE_MS = 500;
/** How often a question that was opened by hand is read again, because its run may be that of another process. */
const CHECK_MS = 1_000;

interface Focus {
  /** The open questions of live runs, oldest first. */
  waiting: readonly Waiting[];
  /** The printed ones; the last has the keys. */
  open: readonly { readonly question: Waiting; readonly part: QuestionPart }[];
  /** The one that was opened by hand. */
  asked: string | undefined;
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
    ...{ waiting: [], open: [], isOpening: false, isAway: false, isLineEmpty: true },
    ...{ asked: undefined, timer: undefined },
  };
  const isFree = () =>
    focus.open.length === 0 && !focus.isOpening && !focus.isAway && focus.isLineEmpty;
  const focused = () => (focus.isAway ? undefined : focus.open.at(-1));
  const next = () => focus.waiting.find(({ isSkipped }) => !isSkipped);
  const open = (question: Waiting) =>
    openOne(question, focus, parts).finally(() => {
      schedule();
      parts.context.redraw();
    });
  const schedule = () => {
    clearTimeout(focus.timer);
    if (!next()) return;
    focus.timer = setTimeout(() => {
      const question = next();
      if (question && parts.isBusy()) schedule();
      else if (question && isFree()) void open(question);
    }, PAUSE_MS);
  };
  return {
    onEvent(event: CapstanEvent) {
      if (event.type === 'approval.asked') {
        const { approval_id: id, run_id: runId } = event;
        if (focus.waiting.some((one) => one.id === id)) return;
        focus.waiting = [...focus.waiting, { id, runId, isSkipped: false }];
        parts.context.bell('Capstan: a question waits');
        schedule();
      } else if (event.type === 'approval.decided') {
        const part = close(focus, ({ id }) => id === event.approval_id);
        part?.closeElsewhere(event.answer, event.by);
      } else if (event.type === 'run.ended')
        close(focus, ({ runId }) => runId === event.run_id)?.skip();
    },
    /** The question whose key line is drawn and that gets the keys. */
    focused: () => focused()?.part,
    /** Whether it was opened by hand, so that it is in front of the view. */
    isInFront: () => focus.asked !== undefined && focused()?.question.id === focus.asked,
    /** The number of open questions, without the one in focus. */
    waiting: () => focus.waiting.filter((one) => one !== focused()?.question).length,
    /** The number of open questions of a run that were not skipped. */
    unskippedOf: (runId: string) =>
      focus.waiting.filter((one) => one.runId === runId && !one.isSkipped).length,
    /** Gives the keys to the line. `toQuestion` gives them back to the question. */
    toLine() {
      focus.isAway = true;
      focus.asked = undefined;
      parts.onFree();
    },
    /** Tab: opens the oldest question, also one that was skipped. Returns false if none waits. */
    toQuestion() {
      focus.isAway = false;
      const [oldest] = focus.waiting;
      if (focus.open.length > 0) return true;
      if (!oldest || focus.isOpening) return false;
      void open(oldest);
      return true;
    },
    /** Opens a question now, also of a parked run or of another process. Resolves when it was answered or skipped. */
    async ask(id: string, runId: string): Promise<'answered' | 'skipped'> {
      const opened = focus.open.find(({ question }) => question.id === id);
      focus.isAway = false;
      focus.asked = id;
      if (opened) return opened.part.done;
      const known = focus.waiting.find((one) => one.id === id);
      const asking = open(known ?? { id, runId, isSkipped: false });
      const watch = setInterval(() => void closeIfAnswered(id, focus, parts), CHECK_MS);
      return asking.finally(() => clearInterval(watch));
    },
    /** Reports a key, because a question takes the focus only after a pause in typing. */
    onKey(isLineEmpty: boolean) {
      focus.isLineEmpty = isLineEmpty;
      schedule();
    },
    close: () => clearTimeout(focus.timer),
  };
}

/** Removes questions that no longer wait. Returns the part of an open one among them. */
function close(focus: Focus, isClosed: (question: Waiting) => boolean): QuestionPart | undefined {
  focus.waiting = focus.waiting.filter((one) => !isClosed(one));
  return focus.open.find(({ question }) => isClosed(question))?.part;
}

async function closeIfAnswered(id: string, focus: Focus, { context }: QuestionFocusParts) {
  const approval = await context.capstan.approvals.get(id).catch(() => undefined);
  if (!approval || approval.status === 'pending' || approval.answeredBy === 'terminal') return;
  const opened = focus.open.find(({ question }) => question.id === id);
  opened?.part.closeElsewhere(approval.answer ?? 'expired', approval.answeredBy ?? 'nobody');
}

/** Gives the focus to a question until it is answered or skipped. Never rejects. */
async function openOne(
  question: Waiting,
  focus: Focus,
  parts: QuestionFocusParts,
): Promise<'answered' | 'skipped'> {
  const { context } = parts;
  const isWaiting = () => focus.waiting.includes(question);
  const isOfLiveRun = isWaiting();
  const place = { index: focus.waiting.indexOf(question) + 1, count: focus.waiting.length };
  let how: 'answered' | 'skipped' = 'answered';
  focus.isOpening = true;
  try {
    const part = await openQuestionPart(question.id, context, isOfLiveRun ? place : undefined);
    focus.isOpening = false;
    if (!part) return 'skipped';
    focus.open = [...focus.open, { question, part }];
    focus.isAway = false;
    context.redraw();
    if (isOfLiveRun && !isWaiting()) part.skip();
    how = await part.done;
    question.isSkipped = true;
    if (how === 'skipped' && isWaiting()) parts.onSkip(question.runId);
    return how;
  } catch (error) {
    context.fail(error);
    return 'skipped';
  } finally {
    focus.isOpening = false;
    focus.open = focus.open.filter((one) => one.question !== question);
    if (how === 'answered') close(focus, (one) => one === question);
    focus.isAway = focus.open.length > 0;
    parts.onFree();
  }
}
