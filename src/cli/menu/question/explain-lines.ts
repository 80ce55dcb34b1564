import type { Approval } from '../../../contract/approval.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { costOf, tierOf } from '../../approval/approval-block.ts';
import { shortId } from '../../text/short-id.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import type { QuestionKey } from './question-keys.ts';

/** What `e` prints: what a yes does, why it is asked, the capsule's own words, tier, cost and full ids. */
export function explainLines(approval: Approval, { width, style }: Frame): string[] {
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
      'a yes',
      `performs ${operation} ${target} once${isForced ? '; it can not be allowed always' : ''}`,
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
  const named = Math.max(...facts.map(([name]) => name.length));
  return facts.flatMap(([name, value]) => {
    const head = `  ${name.padEnd(named)}  `;
    const lines = wrapProse(escapeText(value.replace(/\s+/g, ' ')), width, head);
    return [`${style.dim(head)}${(lines[0] ?? '').slice(head.length)}`, ...lines.slice(1)];
  });
}

/** The help that `?` prints: every key with its effect. */
export const helpLines = (keys: readonly QuestionKey[], { style }: Frame): string[] => [
  ...keys.map(({ key, help }) => `  ${style.bold(key.padEnd(6))}  ${escapeText(help)}`),
  `  ${style.bold('Space')}   shows more of a long request`,
  `  ${style.bold('Ctrl-O')}  opens all of it in your pager`,
];
