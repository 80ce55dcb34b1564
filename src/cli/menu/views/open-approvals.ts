import type { ApprovalOfTask } from '../../../app/approvals/find-approval.ts';
import { approvalColumns } from '../../lists/columns/approval-columns.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import type { Drawn, Frame } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import { type Edited, edit, nothingTyped } from '../input/edit.ts';
import type { MenuContext } from '../program/create-context.ts';
import { echoLines } from '../program/input/echo.ts';
import { openQuestionPart } from '../question/open-question-part.ts';
import type { QuestionPart } from '../question/question-part.ts';
import { isKey, type KeyInput } from '../terminal/key.ts';
import { cutEnd } from '../terminal/text-width.ts';
import { openList } from './list/open-list.ts';

const REFRESH_MS = 1_000;

/** `/approvals`: the open questions of every run. Enter opens one to answer it. */
export function openApprovals(context: MenuContext): void {
  openList<ApprovalOfTask>(context, {
    title: (rows, { symbols }) => ['Approvals', countText(rows.length)].join(symbols.separator),
    columns: () => approvalColumns(false, new Date()),
    keyOf: ({ id }) => id,
    load: () => context.capstan.approvals.list(),
    empty: 'Nothing waits for an answer.',
    refreshMs: REFRESH_MS,
    keys: [
      {
        key: 'enter',
        words: 'open and answer',
        run: async (approval) => {
          context.print(
            ['', ...echoLines(shorten(approval.task, TASK_CHARS), context.frame())].join('\n'),
          );
          const end = await openQuestionView(context, approval.id);
          if (end === 'answered') await offerResume(context, approval.runId);
        },
      },
    ],
  });
}

const countText = (count: number): string => {
  if (count === 0) return 'none waits';
  return count === 1 ? '1 waits' : `${count} wait`;
};

/** Longest part of the task above an opened question, in characters. */
const TASK_CHARS = 300;

/** Width of the question without the task, in columns. */
const QUESTION_COLUMNS = 52;

/** Asks whether to continue a parked run without open questions. A run of another process continues by itself. */
async function offerResume(context: MenuContext, runId: string): Promise<void> {
  const { run } = await context.capstan.runs.get(runId);
  if (run.status !== 'parked' || run.openQuestions > 0) return;
  const room = Math.max(8, context.frame().width - QUESTION_COLUMNS);
  const name = `${shortId(runId)}: ${shorten(run.task, room)}`;
  if (!(await context.confirm(`Continue the parked run ${name}?`))) {
    context.print(
      `  It stays parked. To continue it, open /runs, choose ${shortId(runId)} and press r.`,
    );
    return;
  }
  context.closeView();
  await context.conversation.resume(runId);
}

const CHECK_MS = 1_000;

/**
 * Opens one question as a view, also for a parked run and for a run of another process. Resolves when it was answered or
 * skipped.
 */
async function openQuestionView(
  context: MenuContext,
  approvalId: string,
): Promise<'answered' | 'skipped'> {
  const part = await openQuestionPart(approvalId, context);
  if (!part) return 'skipped';
  let line = nothingTyped;
  let isOpen = true;
  const watch = setInterval(() => void closeIfAnswered(context, approvalId, part), CHECK_MS);
  context.openView({
    draw: (frame) => drawQuestion(part, line, frame),
    onKey(input) {
      if (isKey(input, 'esc') && !part.isEditing) return part.skip();
      if (!part.takesText || part.isEditing) return part.onKey(input);
      line = typeAnswer(part, line, input);
      context.redraw();
    },
    printAgain: part.printAgain,
    onClose() {
      isOpen = false;
      part.skip();
    },
  });
  try {
    return await part.done;
  } finally {
    clearInterval(watch);
    if (isOpen) context.closeView();
  }
}

/** The typed text is the answer, and Enter sends it; the digit of a choice may need no Enter. */
function typeAnswer(part: QuestionPart, line: Edited, input: KeyInput): Edited {
  if (isKey(input, 'enter')) {
    if (line.text.trim() !== '') part.onText(line.text);
    return nothingTyped;
  }
  if (line.text === '' && part.isAnswerKey(input)) {
    part.onKey(input);
    return line;
  }
  return edit(line, input) ?? line;
}

function drawQuestion(part: QuestionPart, line: Edited, frame: Frame): Drawn {
  const words = part.hint ?? 'Esc leaves it open';
  const hint = cutEnd(frame.style.dim(`  ${words}`), frame.width, frame.symbols);
  const drawn = part.draw({ ...frame, rows: Math.max(1, frame.rows - 2) });
  if (!part.takesText || part.isEditing) return { ...drawn, lines: [...drawn.lines, hint] };
  const input = drawInput(line, frame, { maxRows: 3 });
  const { cursor } = input;
  return {
    lines: [...drawn.lines, ...input.lines, hint],
    cursor: cursor && { x: cursor.x, y: drawn.lines.length + cursor.y },
  };
}

async function closeIfAnswered(
  { capstan }: MenuContext,
  approvalId: string,
  part: QuestionPart,
): Promise<void> {
  const approval = await capstan.approvals.get(approvalId).catch(() => undefined);
  if (!approval || approval.status === 'pending') return;
  if (approval.answeredBy === 'terminal') return;
  part.closeElsewhere(approval.answer ?? 'expired', approval.answeredBy ?? 'nobody');
}
