import type { RememberRequest } from '../../../app/approvals/remember-terms.ts';
import type { Approval, ApprovalAnswer } from '../../../contract/approval.ts';
import { needsAll, type QuestionKey, questionKeys } from '../../approval/question-keys.ts';
import { type Edited, editOneLine, nothingTyped } from '../input/edit.ts';
import { isCtrl, isKey, isPaste, type KeyInput, plainText } from '../terminal/key.ts';
import { editTerms, openTerms, rememberRequest, type Terms, termsInWords } from './terms-editor.ts';

/** A question while it has the focus. */
export interface QuestionState {
  readonly approval: Approval;
  readonly keys: readonly QuestionKey[];
  /** Lines of the request that were not shown yet. */
  readonly rest: readonly string[];
  /** The editor of `Y` or `N`. */
  readonly terms: Terms | undefined;
  /** The words of `m`. */
  readonly note?: Edited | undefined;
  /** When a character that did not count was typed last. What follows within a pause belongs to the same word. */
  readonly wordMs?: number | undefined;
}

/** Keys count again after this time without a character of a word, in milliseconds. */
const PAUSE_MS = 500;

/** The effect of a key, for the surface to perform. */
export type QuestionEffect =
  | {
      readonly does: 'answer';
      readonly answer: ApprovalAnswer;
      readonly remember?: RememberRequest;
      readonly terms?: string;
      readonly note?: string;
    }
  | { readonly does: 'show_more' | 'page' | 'explain' | 'help' | 'skip' | 'say_unseen' }
  | { readonly does: 'fail'; readonly error: unknown };

export interface QuestionStep {
  readonly state: QuestionState;
  readonly effect?: QuestionEffect;
}

/** The state of a question when it gets the focus. @param rest Lines of the request that were not shown yet. */
export const openQuestion = (approval: Approval, rest: readonly string[]): QuestionState => ({
  approval,
  keys: questionKeys(approval),
  rest,
  terms: undefined,
});

/** Applies a key or a paste to a question. A paste never answers, and neither do Enter and the letters of a typed word. */
export function stepQuestion(state: QuestionState, input: KeyInput, now: Date): QuestionStep {
  return stepField(state, input, now) ?? stepKey(state, input, now);
}

function stepField(state: QuestionState, input: KeyInput, now: Date): QuestionStep | undefined {
  if (state.terms) return stepTerms(state, state.terms, input, now);
  return state.note && stepNote(state, state.note, input);
}

function stepKey(state: QuestionState, input: KeyInput, now: Date): QuestionStep {
  if (isPaste(input)) return { state };
  if (isCtrl(input, 'o')) return { state, effect: { does: 'page' } };
  if (isKey(input, 'esc')) return { state, effect: { does: 'skip' } };
  const text = plainText(input);
  return text === undefined ? { state } : stepCharacter(state, text, now);
}

function stepCharacter(state: QuestionState, text: string, now: Date): QuestionStep {
  const isInWord = state.wordMs !== undefined && now.getTime() - state.wordMs < PAUSE_MS;
  const inWord = { ...state, wordMs: now.getTime() };
  if (text === ' ') {
    const next = isInWord ? inWord : state;
    return next.rest.length > 0 ? { state: next, effect: { does: 'show_more' } } : { state: next };
  }
  const key = state.keys.find((one) => one.key === text);
  if (!key || isInWord) return { state: inWord };
  return pressKey({ ...state, wordMs: undefined }, key, now);
}

/** Whether the input is a key or a character of a word. `Y`, `N` and `m` open a field for any text. */
export const isCharacter = ({ approval, terms, note }: QuestionState, input: KeyInput): boolean =>
  approval.kind !== 'question' && !terms && !note && plainText(input) !== undefined;

function pressKey(state: QuestionState, { does }: QuestionKey, now: Date): QuestionStep {
  if (needsAll(does) && state.rest.length > 0) return { state, effect: { does: 'say_unseen' } };
  if (does.kind === 'always')
    return { state: { ...state, terms: openTerms(does.answer, state.approval, now) } };
  if (does.kind === 'note') return { state: { ...state, note: nothingTyped } };
  return {
    state,
    effect: does.kind === 'answer' ? { does: 'answer', answer: does.answer } : { does: does.kind },
  };
}

function stepTerms(state: QuestionState, terms: Terms, input: KeyInput, now: Date): QuestionStep {
  if (isKey(input, 'esc') || isCtrl(input, 'c')) return { state: { ...state, terms: undefined } };
  if (!isKey(input, 'enter')) return { state: { ...state, terms: editTerms(terms, input) } };
  try {
    const remember = rememberRequest(terms, now);
    return {
      state,
      effect: { does: 'answer', answer: terms.answer, remember, terms: termsInWords(terms) },
    };
  } catch (error) {
    return { state, effect: { does: 'fail', error } };
  }
}

/** Enter denies with the words; Esc leaves them. */
function stepNote(state: QuestionState, note: Edited, input: KeyInput): QuestionStep {
  if (isKey(input, 'esc') || isCtrl(input, 'c')) return { state: { ...state, note: undefined } };
  if (!isKey(input, 'enter')) return { state: { ...state, note: editOneLine(note, input) } };
  const words = note.text.trim();
  return words === ''
    ? { state }
    : { state, effect: { does: 'answer', answer: 'deny', note: words } };
}
