import { escapeText } from '../../../../contract/text/escape-text.ts';
import { counted, formatSeconds } from '../../../text/format.ts';
import { shortId } from '../../../text/short-id.ts';
import { type Drawn, type Frame, spinnerAt } from '../../frame.ts';
import type { QuestionPart } from '../../question/question-part.ts';
import type { Symbols } from '../../terminal/symbols.ts';
import { cutEnd, textWidth } from '../../terminal/text-width.ts';
import type { LiveRun } from '../runs/live-run.ts';

/** The parts of the live area, from top to bottom. */
export interface ScreenParts {
  /** The key line of a question or confirmation; below the run if text is typed into it. */
  readonly question?: ((frame: Frame) => Drawn) | undefined;
  readonly run?: ((frame: Frame) => readonly string[]) | undefined;
  /** Runs that are not in focus. */
  readonly others: readonly LiveRun[];
  /** Texts of waiting tasks. */
  readonly queued?: readonly string[] | undefined;
  /** The input line; undefined while a question takes keys only. */
  readonly line?: ((frame: Frame) => Drawn) | undefined;
  /** The input hint. */
  readonly hint: string;
}

/** Draws a question with the run that asks it, and the line if it takes free text. */
export function composeQuestion(
  question: QuestionPart,
  { run, others, line }: Pick<ScreenParts, 'run' | 'others' | 'line'>,
  frame: Frame,
): Drawn {
  const { takesText, hint = '' } = question;
  const typed = takesText ? { line, hint } : { hint: '' };
  return composeScreen({ run, others, question: (room) => question.draw(room), ...typed }, frame);
}

/** In the conversation: what interrupts the run in focus. */
export const ESC_STOPS = 'Esc stops this run';

/** `2 questions wait · Tab · Esc stops this run`. @param esc What Esc does; empty: nothing. */
export const questionsHint = (
  count: number,
  esc: string,
  { separator }: Pick<Symbols, 'separator'>,
): string => {
  const waiting = `${counted(count, 'question')} ${count === 1 ? 'waits' : 'wait'}`;
  return [waiting, 'Tab', ...(esc === '' ? [] : [esc])].join(separator);
};

/** On a smaller terminal, only the key line, the budget and the line are drawn. */
const SMALL_COLUMNS = 40;
const SMALL_ROWS = 10;
/** Maximum number of runs that are drawn besides the one in focus, and of waiting tasks. */
const SHOWN_RUNS = 3;

/** Arranges the parts in at most `frame.rows` lines. The line and the question come first; the others share the rest. */
export function composeScreen(parts: ScreenParts, frame: Frame): Drawn {
  const isSmall = frame.columns < SMALL_COLUMNS || frame.rows < SMALL_ROWS - 1;
  const room = (rows: number): Frame => ({ ...frame, rows: Math.max(0, rows) });
  const line = parts.line?.(room(Math.min(frame.rows - 1, 12)));
  const lineRows = line?.lines.length ?? 0;
  const question = parts.question?.(room(frame.rows - lineRows));
  const questionRows = question?.lines.length ?? 0;
  const hint = isSmall || parts.hint === '' ? [] : [hintLine(parts.hint, frame)];
  const free = Math.max(0, frame.rows - lineRows - questionRows - hint.length);
  const others = isSmall
    ? []
    : [...drawOthers(parts.others, frame), ...drawQueued(parts.queued ?? [], frame)].slice(0, free);
  const rest = free - others.length;
  const run = parts.run && rest > 0 ? parts.run(room(isSmall ? 1 : rest)) : [];
  const above = arrange(question, { lines: [...run, ...others] });
  const blocks = [...above, ...(line ? [line] : []), { lines: hint }];
  return stack(blocks, Math.max(1, frame.rows));
}

/** An input field is drawn below the run, like the line; a key line is drawn above it, below its question. */
const arrange = (question: Drawn | undefined, run: Drawn): readonly Drawn[] => {
  if (!question) return [run];
  return question.cursor ? [run, question] : [question, run];
};

/** Stacks the blocks. The cursor is that of the first block that has one. */
function stack(blocks: readonly Drawn[], rows: number): Drawn {
  const lines = blocks.flatMap((block) => block.lines);
  const at = blocks.findIndex(({ cursor }) => cursor);
  const cursor = blocks[at]?.cursor;
  if (!cursor) return { lines: lines.slice(0, rows) };
  const above = blocks.slice(0, at).flatMap((block) => block.lines).length;
  return { lines: lines.slice(0, rows), cursor: { x: cursor.x, y: cursor.y + above } };
}

/** Leaves out the last parts of a hint that is too long, so that no word is cut. */
function hintLine(hint: string, { style, width, symbols }: Frame): string {
  const parts = hint.split(symbols.separator);
  while (parts.length > 1 && textWidth(`  ${parts.join(symbols.separator)}`) > width) parts.pop();
  return style.dim(cutEnd(`  ${parts.join(symbols.separator)}`, width, symbols));
}

/** `○ next: Fix the tests` */
function drawQueued(tasks: readonly string[], { style, symbols, width }: Frame): readonly string[] {
  const shown = tasks
    .slice(0, SHOWN_RUNS)
    .map((text) => `${symbols.waiting} next: ${escapeText(text.split('\n')[0] ?? '')}`);
  const more = tasks.length - shown.length;
  const lines = more > 0 ? [...shown, `  ${symbols.cut} ${counted(more, 'more task')}`] : shown;
  return lines.map((line) => style.dim(cutEnd(line, width, symbols)));
}

function drawOthers(runs: readonly LiveRun[], frame: Frame): readonly string[] {
  const { symbols, width } = frame;
  const shown = runs.slice(0, SHOWN_RUNS).map((run) => {
    const time = formatSeconds(Math.floor((frame.nowMs - run.startedMs) / 1_000) * 1_000);
    const head = `${frame.style.cyan(spinnerAt(frame))} ${shortId(run.id)}  ${time}  `;
    return cutEnd(`${head}${escapeText(run.task.split('\n')[0] ?? '')}`, width, symbols);
  });
  const more = runs.length - shown.length;
  return more > 0 ? [...shown, `  ${symbols.cut} ${counted(more, 'more run')}`] : shown;
}
