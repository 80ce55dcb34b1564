import { canRemember } from '../../../app/approvals/remember-terms.ts';
import type { Approval, ApprovalAnswer } from '../../../contract/approval.ts';

/** A key of a question and its effect. */
export interface QuestionKey {
  readonly key: string;
  /** In the key line: `allow once`. */
  readonly words: string;
  /** In the help of `?`. */
  readonly help: string;
  readonly does:
    | { readonly kind: 'answer'; readonly answer: ApprovalAnswer }
    /** Opens the editor of an answer that is remembered. */
    | { readonly kind: 'always'; readonly answer: 'approve' | 'deny' }
    | { readonly kind: 'explain' | 'help' | 'skip' };
}

type Asked = Pick<Approval, 'kind' | 'choices' | 'isForced' | 'operation'>;

/** The keys of a question, in the order in which they are shown. One with other choices has their digits. */
export function questionKeys(approval: Asked): readonly QuestionKey[] {
  const { choices } = approval;
  const isYesOrNo = approval.kind !== 'question' && choices.includes('approve');
  return [
    ...(isYesOrNo ? allowKeys(approval) : choices.map(choiceKey)),
    ...(approval.kind === 'question' ? [] : [EXPLAIN]),
    SKIP,
    HELP,
  ];
}

/** Answers that count only after the whole request was shown. */
export const needsAll = (does: QuestionKey['does']): boolean =>
  'answer' in does && (does.answer === 'approve' || does.answer === 'do_it');

function allowKeys(approval: Asked): QuestionKey[] {
  const always = canRemember(approval);
  return [
    {
      key: 'y',
      words: 'allow once',
      help: 'allow this one request',
      does: { kind: 'answer', answer: 'approve' },
    },
    ...(always ? [alwaysKey('Y', 'approve')] : []),
    {
      key: 'n',
      words: 'deny once',
      help: 'deny this one request',
      does: { kind: 'answer', answer: 'deny' },
    },
    ...(always ? [alwaysKey('N', 'deny')] : []),
  ];
}

const alwaysKey = (key: 'Y' | 'N', answer: 'approve' | 'deny'): QuestionKey => ({
  key,
  words: 'always',
  help: `${answer === 'approve' ? 'allow' : 'deny'} it always: shows pattern, scope and expiry for editing first`,
  does: { kind: 'always', answer },
});

function choiceKey(answer: ApprovalAnswer, index: number): QuestionKey {
  const words = choiceWords[answer] ?? answer.replace(/^capsule:/, '');
  return { key: String(index + 1), words, help: words, does: { kind: 'answer', answer } };
}

const choiceWords: Readonly<Record<string, string>> = {
  it_happened: 'it happened: continue',
  do_it: 'do it (again)',
  abandon: 'abandon the step',
  none: 'none of these',
  approve: 'allow',
  deny: 'deny',
};

const EXPLAIN: QuestionKey = {
  key: 'e',
  words: 'explain',
  help: 'what a yes does, why it is asked, who asks',
  does: { kind: 'explain' },
};
const SKIP: QuestionKey = {
  key: 's',
  words: 'skip',
  help: 'leave it open; answer it later, also elsewhere',
  does: { kind: 'skip' },
};
const HELP: QuestionKey = { key: '?', words: 'help', help: 'this list', does: { kind: 'help' } };
