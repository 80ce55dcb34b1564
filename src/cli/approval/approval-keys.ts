import { canRemember } from '../../app/approvals/remember-terms.ts';
import type { Approval, ApprovalAnswer, PlainAnswer } from '../../contract/approval.ts';

/** The action of a key at a question. */
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

/** The key of each answer, and its words in the help. */
const answers: Readonly<Record<PlainAnswer, readonly [key: string, words: string]>> = {
  approve: ['y', 'allow once'],
  deny: ['n', 'deny; `n <why>` also tells the capsule why'],
  it_happened: ['h', 'it happened: continue without repeating it'],
  do_it: ['d', 'it did not happen, or may happen twice: do it'],
  abandon: ['b', 'abandon: end this attempt'],
  none: ['n', 'none of these'],
};

/** Capsules are chosen by their number in the list. */
function keyOf(answer: ApprovalAnswer, index: number): readonly [string, Key] {
  const capsule = [String(index + 1), answer.slice('capsule:'.length)] as const;
  const [key, words] = Object.hasOwn(answers, answer) ? answers[answer as PlainAnswer] : capsule;
  return [key, { does: 'answer', answer, words }];
}

const remembered = [
  ['a', 'run', 'allow, also the same request of this capsule later in this run'],
  [
    'c',
    'capsule',
    'allow, also in later runs of this capsule (asks for pattern, end and number of uses)',
  ],
] as const;

/** The keys of a question, in the order in which they are shown. */
export function keysOf(approval: Approval): ReadonlyMap<string, Key> {
  const { choices } = approval;
  const isRememberable = choices.includes('approve') && canRemember(approval);
  return new Map<string, Key>([
    ...choices.map(keyOf),
    ...(isRememberable ? remembered : []).map(
      ([key, scope, words]) => [key, { does: 'answer', answer: 'approve', scope, words }] as const,
    ),
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
