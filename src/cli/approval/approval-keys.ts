import { canRemember } from '../../app/approvals/remember-terms.ts';
import type { Approval, ApprovalAnswer, PlainAnswer } from '../../contract/approval.ts';

/** What a key does at a question. */
export type Key =
  | {
      readonly does: 'answer';
      readonly answer: ApprovalAnswer;
      readonly scope?: 'run' | 'capsule';
      /** Why, in the person's own words. */
      readonly note?: string;
      readonly words: string;
    }
  | { readonly does: 'show' | 'explain'; readonly words: string };

const ofAnswer: Readonly<Record<PlainAnswer, readonly [string, Key]>> = {
  approve: ['y', { does: 'answer', answer: 'approve', words: 'allow once' }],
  deny: [
    'n',
    { does: 'answer', answer: 'deny', words: 'deny; `n <why>` also tells the capsule why' },
  ],
  it_happened: [
    'h',
    {
      does: 'answer',
      answer: 'it_happened',
      words: 'it happened: continue without repeating it',
    },
  ],
  do_it: [
    'd',
    { does: 'answer', answer: 'do_it', words: 'it did not happen, or may happen twice: do it' },
  ],
  abandon: ['b', { does: 'answer', answer: 'abandon', words: 'abandon: end this attempt' }],
  none: ['n', { does: 'answer', answer: 'none', words: 'none of these' }],
};

/** Capsules are chosen by their number in the list. */
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
      words: 'allow, also the same request of this capsule later in this run',
    },
  ],
  [
    'c',
    {
      does: 'answer',
      answer: 'approve',
      scope: 'capsule',
      words: 'allow, also in later runs of this capsule (asks for pattern, end and number of uses)',
    },
  ],
];

/** The keys of a question, in the order in which they are shown. */
export function keysOf(approval: Approval): ReadonlyMap<string, Key> {
  const { choices } = approval;
  return new Map<string, Key>([
    ...choices.map(keyOf),
    ...(choices.includes('approve') && canRemember(approval) ? remembered : []),
    ['v', { does: 'show', words: 'show the full request' }],
    ['?', { does: 'explain', words: 'show this help' }],
  ]);
}

/** Words that can be typed instead of a key. */
export const spelledOut: ReadonlyMap<string, string> = new Map([
  ['yes', 'y'],
  ['no', 'n'],
  ['help', '?'],
]);
