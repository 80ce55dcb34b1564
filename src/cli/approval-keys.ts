import { canRemember } from '../app/approvals/can-remember.ts';
import type { Approval, ApprovalAnswer, PlainAnswer } from '../contract/approval.ts';

/** What a key does at a question. */
export type Key =
  | {
      readonly does: 'answer';
      readonly answer: ApprovalAnswer;
      readonly scope?: 'run' | 'capsule';
      readonly words: string;
    }
  | { readonly does: 'show' | 'explain'; readonly words: string };

const ofAnswer: Readonly<Record<PlainAnswer, readonly [string, Key]>> = {
  approve: ['y', { does: 'answer', answer: 'approve', words: 'yes, this once' }],
  deny: ['n', { does: 'answer', answer: 'deny', words: 'no; the capsule is told so' }],
  it_happened: [
    'h',
    {
      does: 'answer',
      answer: 'it_happened',
      words: 'it happened: go on as if it had been told so',
    },
  ],
  do_it: [
    'd',
    { does: 'answer', answer: 'do_it', words: 'it did not happen, or may again: do it' },
  ],
  abandon: ['b', { does: 'answer', answer: 'abandon', words: 'abandon: the attempt ends here' }],
  none: ['n', { does: 'answer', answer: 'none', words: 'none of them' }],
};

/** The capsules of a short list have their numbers. */
function keyOf(answer: ApprovalAnswer, i: number): readonly [string, Key] {
  if (Object.hasOwn(ofAnswer, answer)) return ofAnswer[answer as PlainAnswer];
  return [String(i + 1), { does: 'answer', answer, words: answer.slice('capsule:'.length) }];
}

const remembered: readonly (readonly [string, Key])[] = [
  [
    'a',
    {
      does: 'answer',
      answer: 'approve',
      scope: 'run',
      words: 'yes, and whenever this capsule asks the very same again in this run',
    },
  ],
  [
    'c',
    {
      does: 'answer',
      answer: 'approve',
      scope: 'capsule',
      words: 'yes, and in later runs of this capsule, to a pattern, until a day, so many times',
    },
  ],
];

/** The keys of a question, in their order. */
export function keysOf(approval: Approval): ReadonlyMap<string, Key> {
  const { choices } = approval;
  return new Map<string, Key>([
    ...choices.map(keyOf),
    ...(choices.includes('approve') && canRemember(approval) ? remembered : []),
    ['v', { does: 'show', words: 'show all of it, nothing folded' }],
    ['?', { does: 'explain', words: 'this' }],
  ]);
}

/** Whole words that stand for a key. */
export const spelledOut: ReadonlyMap<string, string> = new Map([
  ['yes', 'y'],
  ['no', 'n'],
  ['help', '?'],
]);
