import type { Approval } from '../../../contract/approval.ts';
import { failedWith } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import {
  beginsWithDigit,
  digitsOf,
  missingChoice,
  personAnswer,
} from '../../approval/approval-block.ts';
import { deferred } from '../../io/deferred.ts';
import { shorten } from '../../text/shorten.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import type { Drawn, Frame } from '../frame.ts';
import { openPlanPart } from '../plan/open-plan-part.ts';
import type { MenuContext } from '../program/create-context.ts';
import type { PartContext } from '../program/part-context.ts';
import { type KeyInput, plainText } from '../terminal/key.ts';
import { answerLine, decidedLines, skippedLines } from './answer-lines.ts';
import { noteAskedHere } from './asked-here.ts';
import { drawNote } from './draw-note.ts';
import { holdKeys } from './hold-keys.ts';
import { keyLine, noKeyLine } from './key-line.ts';
import type { OpenedQuestion, QuestionPart } from './question-part.ts';
import {
  isCharacter,
  openQuestion,
  type QuestionEffect,
  type QuestionState,
  stepQuestion,
} from './question-state.ts';
import {
  explainLines,
  helpLines,
  type QuestionText,
  type QuestionTextOptions,
  questionText,
} from './question-text.ts';
import { printPages } from './show-pages.ts';
import { drawTerms } from './terms-editor.ts';

/** The part of the program that a question uses. */
type QuestionContext = PartContext &
  Partial<Pick<MenuContext, 'editText' | 'submit' | 'isCommand'>>;

/**
 * Opens a question and prints it. Returns undefined if it is no longer open.
 *
 * @param place Its number among those that wait, and their count.
 */
export async function openQuestionPart(
  approvalId: string,
  context: QuestionContext,
  place: Place = { index: 1, count: 1 },
): Promise<OpenedQuestion | undefined> {
  const printed: string[] = [];
  const print = (text: string) => {
    printed.push(text);
    context.print(text);
  };
  const part = await openPart(approvalId, { ...context, print }, place);
  return part && Object.assign(part, { printAgain: () => context.print(printed.join('\n')) });
}

interface Place {
  readonly index: number;
  readonly count: number;
}

async function openPart(
  approvalId: string,
  context: QuestionContext,
  { index, count }: Place,
): Promise<QuestionPart | undefined> {
  const approval = await context.capstan.approvals.get(approvalId);
  if (approval.status !== 'pending') return undefined;
  noteAskedHere(approval.id);
  if (approval.plan) {
    const { run } = await context.capstan.runs.get(approval.runId);
    return openPlanPart(approval, approval.plan, context, run.provider !== 'offline');
  }
  const isCommand = /^(?:terminal|python_exec)\./.test(approval.operation);
  const about = isCommand ? await context.capstan.runs.get(approval.runId) : undefined;
  const isUnsandboxed = about?.run.isolation.startsWith('none') ?? false;
  const place = count > 1 ? `${index} of ${count} ` : '';
  const home = context.io.environment['HOME'];
  return createQuestionPart(approval, context, { home, place, isUnsandboxed });
}

function createQuestionPart(
  approval: Approval,
  context: QuestionContext,
  about: Omit<QuestionTextOptions, 'frame' | 'now'>,
): QuestionPart {
  const { frame } = context;
  const print = (lines: readonly string[]) => lines.length > 0 && context.print(lines.join('\n'));
  const options = { frame: frame(), now: new Date(), ...about };
  const text = questionText(approval, options);
  const pages = printPages(text, { print, frame });
  let state = openQuestion(approval, pages.rest());
  let isClosed = false;
  const { promise: done, resolve: close } = deferred<'answered' | 'skipped'>();
  const end = (how: 'answered' | 'skipped', lines: readonly string[]) => {
    if (isClosed) return;
    isClosed = true;
    pages.close();
    print(lines);
    close(how);
  };
  if (state.rest.length > 0) context.keepFolded(wholeOf(text));

  const fail = failBy(context);
  const { answer, isSending } = answerOnce(approval, context, (lines) => end('answered', lines));
  const perform = async (effect: QuestionEffect) => {
    switch (effect.does) {
      case 'answer':
        return answer(effect);
      case 'show_more':
        pages.showNext();
        state = { ...state, rest: pages.rest() };
        return;
      case 'page':
        await context.page(wholeOf(text));
        pages.close();
        state = { ...state, rest: [] };
        return;
      case 'skip':
        return end('skipped', skippedLines(approval, frame()));
      case 'fail':
        return fail(effect.error);
      default:
        return void print(effectLines[effect.does](state, frame()));
    }
  };
  const press = (input: KeyInput, isInWord = false) => {
    if (isClosed) return;
    const before = isInWord ? { ...state, wordMs: Date.now() } : state;
    const step = stepQuestion(before, input, new Date());
    state = step.state;
    if (step.effect) void perform(step.effect).catch(fail).finally(context.redraw);
    context.redraw();
  };
  const keys = holdKeys(press, context.redraw);
  return {
    draw: (now) => (keys.isUnread() ? { lines: [] } : drawQuestion(state, pages.draw(now), now)),
    onKey: (input) => (isCharacter(state, input) ? keys.onCharacter(input) : press(input)),
    ...typedAnswer(approval, options.frame, {
      answer: (given) =>
        void answer({ does: 'answer', answer: given }).catch(context.fail).finally(context.redraw),
      print,
      context,
    }),
    get isEditing() {
      return state.terms !== undefined || state.note !== undefined;
    },
    skip: () => end('skipped', skippedLines(approval, frame())),
    closeElsewhere(given, by) {
      if (!isSending()) end('answered', decidedLines(approval, { answer: given, by }, frame()));
    },
    done,
  };
}

/** Prints what is wrong with typed terms, or another error with what to type next. */
const failBy =
  ({ fail, print, frame }: QuestionContext) =>
  (error: unknown): void => {
    if (!failedWith(error, 'USAGE')) return void fail(error);
    const lines = wrapProse(escapeText(error.message), frame().width - 2);
    print(lines.map((line) => `  ${line}`).join('\n'));
  };

const wholeOf = ({ title, body, why }: QuestionText): string =>
  [...title, ...body, ...why].join('\n');

const effectLines = {
  explain: ({ approval }: QuestionState, frame: Frame) => explainLines(approval, frame),
  help: ({ keys }: QuestionState, frame: Frame) => helpLines(keys, frame),
  say_unseen: () => ['  Read the whole request first: Space shows more, Ctrl-O opens all of it.'],
};

type AnswerEffect = Extract<QuestionEffect, { does: 'answer' }>;

/** Sends the answer. Returns the line that confirms it, or names who answered first. */
export async function sendAnswer(
  approval: Approval,
  { answer, remember, terms, note }: AnswerEffect,
  { capstan, frame }: QuestionContext,
): Promise<readonly string[]> {
  const { id, binding } = approval;
  try {
    await capstan.approvals.answer(id, { answer, by: 'terminal', binding, remember, note });
    const said = note === undefined ? [] : wrapProse(escapeText(note), frame().width - 2);
    const { pattern } = remember ?? {};
    const lines = answerLine(approval, answer, { terms, pattern, frame: frame() });
    return [...lines, ...said.map((line) => `  ${line}`)];
  } catch (error) {
    if (!failedWith(error, 'APPROVAL_CLOSED')) throw error;
    const row = await capstan.approvals.get(id);
    const by = row.answer === null ? 'nobody' : (row.answeredBy ?? 'nobody');
    return decidedLines(approval, { answer: row.answer ?? 'deny', by }, frame());
  }
}

/** Sends an answer, not a second one meanwhile. A failed one can be repeated. */
function answerOnce(
  approval: Approval,
  context: QuestionContext,
  onSent: (lines: readonly string[]) => void,
) {
  let isSending = false;
  return {
    isSending: () => isSending,
    async answer(effect: AnswerEffect): Promise<void> {
      if (isSending) return;
      isSending = true;
      try {
        onSent(await sendAnswer(approval, effect, context));
      } catch (error) {
        isSending = false;
        throw error;
      }
    },
  };
}

function drawQuestion(state: QuestionState, tail: readonly string[], frame: Frame): Drawn {
  const { approval, terms, note, keys, rest, wordMs } = state;
  if (terms) return drawTerms(terms, approval, frame);
  if (note) return drawNote(note, approval, frame);
  if (approval.kind === 'question') return { lines: [] };
  const lines = [...tail, ...keyLine(keys, rest.length === 0, frame)];
  const all = wordMs === undefined ? lines : [...lines, noKeyLine(keys, frame)];
  return { lines: all.slice(-Math.max(1, frame.rows)) };
}

interface TypedParts {
  readonly answer: (given: string) => void;
  readonly print: (lines: readonly string[]) => void;
  /** Performs a command of the conversation instead of answering. `capstan run` has no `submit`. */
  readonly context: Pick<QuestionContext, 'submit' | 'isCommand'>;
}

/** How the answer to a question of a capsule is typed; nothing else takes text. */
const typedAnswer = (approval: Approval, frame: Frame, { answer, print, context }: TypedParts) => ({
  ...(approval.kind === 'question' && { hint: textHint(approval, frame) }),
  takesText: approval.kind === 'question',
  isAnswerKey: (input: KeyInput) => digitsAnswer(approval) && isDigitOf(approval, plainText(input)),
  onText(typed: string) {
    if (typed.startsWith('/') && context.isCommand?.(typed)) return void context.submit?.(typed);
    // A second slash makes a command an answer.
    const words =
      typed.startsWith('//') && context.isCommand?.(typed.slice(1)) ? typed.slice(1) : typed;
    const given = personAnswer(words, approval);
    if (given !== undefined) answer(given);
    else print(noChoice(typed, approval, frame));
  },
});

/** Whether the digit of a choice answers without Enter: only choices are accepted, and none begins with a digit. */
const digitsAnswer = ({ choices, freeText }: Approval): boolean =>
  !freeText && !choices.some(beginsWithDigit);

const isDigitOf = ({ choices }: Approval, text = ''): boolean =>
  /^[1-9]$/.test(text) && Number(text) <= choices.length;

/** `A digit or your own words, then Enter · Esc leaves it open` */
function textHint(approval: Approval, { symbols }: Frame): string {
  return `${waysToAnswer(approval)}${symbols.separator}Esc leaves it open`;
}

function waysToAnswer(approval: Approval): string {
  const { choices, freeText } = approval;
  if (choices.length === 0) return 'Your own words, then Enter';
  if (freeText) return 'A digit or your own words, then Enter';
  return digitsAnswer(approval)
    ? `Type ${digitsOf(choices)}, or a choice and Enter`
    : `Type ${digitsOf(choices)} or a choice, then Enter`;
}

function noChoice(typed: string, approval: Approval, { width }: Frame): string[] {
  const problem =
    missingChoice(typed, approval.choices) ?? `"${shorten(typed, 40)}" is not a choice`;
  return wrapProse(`${problem}. ${waysToAnswer(approval)}.`, width - 2).map((line) => `  ${line}`);
}
