import { failedWith } from '../../../../contract/errors.ts';
import { shortId } from '../../../text/short-id.ts';
import { isOnlyPasted } from '../../input/attach-paste.ts';
import {
  answerKey,
  cleared,
  lineKey,
  sendPasted,
  withTasks,
  withText,
} from '../../input/line-key.ts';
import type { QuestionPart } from '../../question/question-part.ts';
import { isCtrl, isKey, type KeyInput, plainText } from '../../terminal/key.ts';
import { openText } from '../../views/open-text.ts';
import { BY } from '../conversation.ts';
import type { Menu } from '../menu.ts';
import { canStop, isRunning } from '../runs/live-run.ts';
import { ESC_STOPS } from '../screen/compose-screen.ts';
import { candidatesOf, readFiles } from './line-candidates.ts';
import { submitLine } from './submit-line.ts';

/** A second Ctrl-C within this time quits; a second Enter at pasted lines is the same press. In milliseconds. */
const AGAIN_MS = 1_000;

/** Passes a key or a paste to the topmost part. */
export function onMenuKey(menu: Menu, input: KeyInput): void {
  const { state, screen, questions } = menu;
  screen.loop.redrawNow();
  const view = state.views.at(-1);
  if (state.isLeaving) onLeavingKey(menu, input);
  else if (state.confirm) state.confirm.onKey(input);
  else if (view?.isPassing) onPassingKey(menu, input);
  else if (view && isLeave(input)) menu.context.closeView();
  else if (view) view.onKey(input);
  else {
    const { notice } = state;
    state.notice = '';
    const question = questions.focused();
    if (question) onQuestionKey(question, menu, input);
    else onLineKey(menu, input, notice);
    questions.onKey(state.line.edited.text === '');
  }
}

/** Ctrl-C and Ctrl-D. */
const isLeave = (input: KeyInput): boolean => isCtrl(input, 'c') || isCtrl(input, 'd');

/** A key at a text that any key closes. It goes on to the line, but never answers a question. */
function onPassingKey(menu: Menu, input: KeyInput): void {
  menu.context.closeView();
  const question = menu.questions.focused();
  const answers = question && (!question.takesText || question.isAnswerKey(input));
  if (!isKey(input, 'esc') && !isLeave(input) && !answers) onMenuKey(menu, input);
}

/** Ctrl-C while the runs park: ends the program immediately. */
function onLeavingKey(menu: Menu, input: KeyInput): void {
  if (isCtrl(input, 'c')) menu.quit();
}

function onQuestionKey(question: QuestionPart, menu: Menu, input: KeyInput): void {
  const { questions, state } = menu;
  if (question.isEditing) return void question.onKey(input);
  const isSearching = question.takesText && state.line.search;
  if (isKey(input, 'esc') && !isSearching) return void question.skip();
  const isLineEmpty = state.line.edited.text === '';
  if (isKey(input, 'tab')) return void questions.toLine();
  if (isLeave(input) && isLineEmpty) {
    questions.toLine();
    return void onInterrupt(menu, input);
  }
  if (!question.takesText) return void question.onKey(input);
  // Free-text answers are typed in the line.
  state.line = isCtrl(input, 'c') ? cleared(state.line) : answerKey(state.line, input, question);
}

/** @param notice Shown before the key. */
function onLineKey(menu: Menu, input: KeyInput, notice: string): void {
  const { state } = menu;
  const { line } = state;
  const isHelp = plainText(input) === '?' && line.edited.text === '' && !line.search;
  if (isHelp) return void printKeys(menu);
  if (isKey(input, 'up') && line.edited.text === '' && !line.search && takeBack(menu, 1)) return;
  const change = lineKey(line, input, candidatesOf(menu));
  if (!change) return void onProgramKey(menu, input);
  if (change.submitted && isOnlyPasted(change.submitted)) return void onPasteEnter(menu, notice);
  state.line = change.line;
  if (plainText(input) === '@') void readFiles(menu);
  if (change.submitted) void submitLine(menu, change.submitted);
}

const PASTED = ['Enter again sends the pasted lines', 'or type what to do with them'];

/** Enter at pasted lines, which are data until a second Enter right after the hint sends them, never as a command. */
function onPasteEnter(menu: Menu, notice: string): void {
  const { state, screen } = menu;
  const { line } = state;
  const hint = PASTED.join(screen.frame().symbols.separator);
  const sinceMs = performance.now() - (state.pasteMs ?? 0);
  state.pasteMs = performance.now();
  state.notice = hint;
  if (notice !== hint || sinceMs < AGAIN_MS) return;
  state.notice = '';
  const sent = sendPasted(line);
  state.line = sent.line;
  if (sent.submitted) void submitLine(menu, sent.submitted);
}

/** Puts the newest waiting tasks back into the line. Returns false if none waits. */
function takeBack({ state, conversation }: Menu, count: number): boolean {
  const tasks = conversation.unqueue(count);
  if (tasks.length > 0) state.line = withTasks(state.line, tasks);
  return tasks.length > 0;
}

/** A key that the line does not handle. */
function onProgramKey(menu: Menu, input: KeyInput): void {
  const { questions, conversation, state, context } = menu;
  const isIdle = conversation.live().length === 0;
  if (isCtrl(input, 'd') && isIdle) menu.quit();
  else if (isLeave(input)) onInterrupt(menu, input);
  else if (isKey(input, 'esc')) void stopFocused(menu);
  else if (isKey(input, 'tab')) questions.toQuestion() || showNext(menu);
  else if (isCtrl(input, 'g')) void editLine(menu);
  else if (isCtrl(input, 'o') && state.folded !== '') void context.page(state.folded);
}

/** Tab: the text of the next step, else the next run. */
function showNext({ conversation }: Menu): void {
  if (!conversation.focused()?.part.showNextStep()) conversation.focusNext();
}

/** Ctrl-C: clears the line; on an empty one, twice within a second, quits, like Ctrl-D. Every press is answered. */
function onInterrupt(menu: Menu, input: KeyInput): void {
  const { state, screen, conversation } = menu;
  const key = isCtrl(input, 'c') ? 'Ctrl-C' : 'Ctrl-D';
  if (state.line.edited.text !== '') {
    state.line = cleared(state.line);
    return;
  }
  const now = performance.now();
  if (now - state.quitMs < AGAIN_MS) return void menu.quit();
  state.quitMs = now;
  const { separator } = screen.frame().symbols;
  const notice = [`${key}${QUIT_NOTICE}`, ...(canStop(conversation.focused()) ? [ESC_STOPS] : [])];
  state.notice = notice.join(separator);
  clearTimeout(state.quitTimer);
  state.quitTimer = setTimeout(() => {
    if (state.notice.includes(QUIT_NOTICE)) state.notice = '';
    screen.loop.redraw();
  }, AGAIN_MS).unref();
}

const QUIT_NOTICE = ' again quits';

function printKeys({ context }: Menu): void {
  openText(context, keysHelp);
}

/** Ctrl-G: the line in the editor. */
async function editLine({ state, context }: Menu): Promise<void> {
  const text = await context.editText(state.line.edited.text, 'task.md');
  if (text !== undefined) state.line = withText(state.line, text.trimEnd());
  else
    context.print(
      '! The editor failed, so the line is unchanged. Set $EDITOR to a program that works.',
    );
  context.redraw();
}

/** The keys of the conversation, for `?`. */
const keysHelp: readonly (readonly [string, string])[] = [
  ['Enter', 'send a task, or a message to the run that works'],
  ['Alt-Enter, Ctrl-J, \\ Enter', 'new line'],
  ['Esc', 'stop the run; again: discard it; else clear the line'],
  ['Ctrl-C', 'clear the line; twice: quit, which parks the run'],
  ['Ctrl-D', 'quit, on an empty line; twice while a run works'],
  ['Tab', 'complete / and @; the next step, run or waiting question'],
  ['Up, Down, Ctrl-R', 'a waiting task, earlier lines; search them'],
  ['Ctrl-G', 'edit the line in $EDITOR'],
  ['Ctrl-O', 'show the last answer or folded text in $PAGER'],
  ['Ctrl-L', 'draw again, with the whole question'],
  ['Ctrl-Z', 'stop the program; fg continues it'],
];

/** A second Esc within this time counts as the same press, in milliseconds. */
const SAME_PRESS_MS = 500;

/**
 * Esc: stops the run in focus, and puts waiting tasks back into the line; again: asks whether to discard it for good. If it
 * does not work, Esc first clears the line.
 */
async function stopFocused(menu: Menu): Promise<void> {
  const { conversation, context, screen, state } = menu;
  const run = conversation.focused();
  const now = performance.now();
  if (run && canStop(run)) {
    run.stoppedMs = now;
    takeBack(menu, conversation.queued().length);
    await context.capstan.runs.stop(run.id, { by: BY }).catch((error) => {
      if (!failedWith(error, 'RUN_ENDED')) context.fail(error);
    });
    return;
  }
  if (now - (run?.stoppedMs ?? 0) < SAME_PRESS_MS) return;
  if (!(run && isRunning(run)) && state.line.edited.text !== '') {
    state.line = cleared(state.line);
    return;
  }
  if (!run || (!isRunning(run) && run.status !== 'parked')) return;
  if (!(await context.confirm(`Discard run ${shortId(run.id)} for good?`))) return;
  try {
    await run.over;
    await context.capstan.runs.cancel(run.id, { by: BY });
    run.status = 'cancelled';
    const { style, symbols } = screen.frame();
    context.print(`${style.red(symbols.failed)} Discarded run ${shortId(run.id)}`);
    await menu.refresh();
  } catch (error) {
    context.fail(error);
  }
}
