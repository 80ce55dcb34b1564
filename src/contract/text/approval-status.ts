import type { Approval } from '../approval.ts';
import { escapeText } from './escape-text.ts';
import { shortTime } from './short-time.ts';

/** Why a question without a deadline is withdrawn while its run continues. */
const replacedBy: { readonly [K in Approval['kind']]?: string } = {
  plan: 'there is a new plan',
  changed_capsule: 'the files changed again',
};

/** Who answered a question and when, or how it ended without an answer. Without capital letter and full stop. */
export function approvalStatus({
  kind,
  status,
  answer,
  answeredBy,
  answeredAt,
  expiresAt,
  note,
}: Approval): string {
  const when = answeredAt === null ? '' : ` at ${shortTime(answeredAt)}`;
  if (answer !== null) {
    const words = note ? `, saying "${escapeText(note)}"` : '';
    const shown = kind === 'question' ? escapeText(answer) : answer;
    return `"${shown}" was answered by ${escapeText(answeredBy ?? 'someone')}${when}${words}`;
  }
  if (status === 'pending') return 'it waits for an answer';
  const newer = expiresAt === null ? replacedBy[kind] : undefined;
  if (newer !== undefined) return `it was withdrawn${when}: ${newer}, or its run ended`;
  return expiresAt !== null && answeredAt !== null && answeredAt >= expiresAt
    ? `it expired${when} without an answer`
    : `its run ended${when} without an answer`;
}
