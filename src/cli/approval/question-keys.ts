import { canRemember } from '../../app/approvals/remember-terms.ts';
import type { Approval, ApprovalAnswer } from '../../contract/approval.ts';

/** A key of a question and its effect. */
export interface QuestionKey {
  readonly key: string;
  /** Label in the key line: `allow once`. */
  readonly words: string;
  /** Text in the help of `?`. */
  readonly help: string;
  readonly does:
    | { readonly kind: 'answer'; readonly answer: ApprovalAnswer }
    /** Opens the terms editor of a remembered answer. */
    | { readonly kind: 'always'; readonly answer: 'approve' | 'deny' }
    /** `note` opens the line for a reason, with which it is denied. */
    | { readonly kind: 'explain' | 'help' | 'note' | 'skip' };
}

type Asked = Pick<Approval, 'kind' | 'choices' | 'isForced' | 'operation'>;

/**
 * Returns the keys of a question in display order. Other choices than allow and deny have digits. A question of a capsule
 * has only those: everything else that is typed is text.
 */
export function questionKeys(approval: Asked): readonly QuestionKey[] {
  const { choices } = approval;
  const isYesOrNo = approval.kind !== 'question' && choices.includes('approve');
  return [
    ...(isYesOrNo ? allowKeys(approval) : choices.map(choiceKey)),
    ...(approval.kind === 'question' ? [] : [EXPLAIN, SKIP, HELP]),
    ...(isYesOrNo ? [NOTE] : []),
  ];
}

/** Whether the whole request must have been shown before this key works. */
export const needsAll = (does: QuestionKey['does']): boolean =>
  'answer' in does && (does.answer === 'approve' || does.answer === 'do_it');

function allowKeys(approval: Asked): QuestionKey[] {
  const always = canRemember(approval);
  return [
    keyFor('y', 'allow once', 'allow this one request', { kind: 'answer', answer: 'approve' }),
    ...(always ? [alwaysKey('Y', 'approve')] : []),
    keyFor('n', 'deny once', 'deny this one request', { kind: 'answer', answer: 'deny' }),
    ...(always ? [alwaysKey('N', 'deny')] : []),
  ];
}

function keyFor(key: string, words: string, help: string, does: QuestionKey['does']): QuestionKey {
  return { key, words, help, does };
}

const alwaysKey = (key: 'Y' | 'N', answer: 'approve' | 'deny'): QuestionKey =>
  keyFor(
    key,
    'always',
    `${answer === 'approve' ? 'allow' : 'deny'} it always: edit pattern, scope and expiry first`,
    { kind: 'always', answer },
  );

function choiceKey(answer: ApprovalAnswer, index: number): QuestionKey {
  const words = choiceWords[answer] ?? answer.replace(/^capsule:/, '');
  return keyFor(String(index + 1), words, words, { kind: 'answer', answer });
}

const choiceWords: Readonly<Record<string, string>> = {
  it_happened: 'it happened: continue',
  do_it: 'do it (again)',
  abandon: 'abandon the step',
  none: 'none of these',
  approve: 'allow',
  deny: 'deny',
};

const EXPLAIN = keyFor('e', 'explain', 'show the effect, the reason and who asks', {
  kind: 'explain',
});
const SKIP = keyFor('s', 'skip', 'leave it open; answer it later, also elsewhere', {
  kind: 'skip',
});
const NOTE = keyFor('m', 'deny and say why', 'deny it once, with words that the capsule reads', {
  kind: 'note',
});
const HELP = keyFor('?', 'help', 'this list', { kind: 'help' });
