import type { Approval } from '../../../contract/approval.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { costOf, tierOf } from '../../approval/approval-block.ts';
import { shortId } from '../../text/short-id.ts';
import { namedLines } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import type { QuestionKey } from './question-keys.ts';

/** Draws the output of `e`: the effect of allowing, the reason, the capsule's words, tier, cost and full ids. */
export function explainLines(approval: Approval, frame: Frame): string[] {
  const {
    capsuleId,
    capsuleReason,
    operation,
    target,
    why,
    isForced,
    id,
    runId,
    workspace,
    subtaskId,
  } = approval;
  const facts: readonly (readonly [string, string])[] = [
    [
      'effect',
      `performs ${operation} ${target} once${isForced ? '; cannot be allowed always' : ''}`,
    ],
    ['why', why],
    ['tier', `${tierOf(approval)}, ${costOf(approval)}`],
    ['step', `${subtaskId || 'the run itself'}, of ${capsuleId}`],
    ['folder', workspace],
    ...(capsuleReason === ''
      ? []
      : [['its words', `"${capsuleReason}" (${capsuleId} wrote this)`] as const]),
    ['run', `${shortId(runId)} (${runId})`],
    ['id', id],
    ['binding', approval.binding],
  ];
  const shown = facts.map(
    ([name, value]) => [name, escapeText(value.replace(/\s+/g, ' '))] as const,
  );
  return namedLines(shown, frame, frame.style.dim);
}

/** Draws the help that `?` prints: every key with its effect. */
export const helpLines = (keys: readonly QuestionKey[], frame: Frame): string[] =>
  namedLines(
    [
      ...keys.map(({ key, help }) => [key, escapeText(help)] as const),
      ['Space', 'shows more of a long request'],
      ['Ctrl-O', 'opens all of it in your pager'],
    ],
    frame,
  );
