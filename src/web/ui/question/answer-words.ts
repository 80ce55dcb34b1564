import type { Question } from '../../../contract/documents/question-documents.ts';
import { capsuleName } from '../lib/text/format.ts';

/** Whether a capsule asks, not Capstan itself. */
export const isOfCapsule = ({ capsule_id: capsule, kind }: Question): boolean =>
  capsuleName(capsule) === capsule && kind !== 'plan';

const where: Readonly<Record<string, string>> = {
  dashboard: 'in the dashboard',
  terminal: 'in a terminal',
  cli: 'in a terminal',
  approve_mode: 'by the approve mode',
};

/** Where or by what a question was answered: `in a terminal` */
export const answeredWhere = (by: string | null): string =>
  where[by ?? ''] ?? (by?.startsWith('remembered:') ? 'by a remembered answer' : `by ${by}`);

/** Whether a question was closed by its deadline, not by an answer or the end of its run. */
const isExpired = ({ answer, answered_at: at, expires_at: end }: Question): boolean =>
  answer === null && at !== null && end !== null && at >= end;

/** The status to show for a closed question. */
export function answerStatus(question: Question): 'completed' | 'denied' | 'cancelled' {
  if (question.answer === 'deny' || isExpired(question)) return 'denied';
  return question.answer === null ? 'cancelled' : 'completed';
}

/** Says how a question was closed, and where: `Allowed once in a terminal` */
export function answerWords(question: Question): string {
  const { answer, answered_by: by, kind } = question;
  if (answer === null) return isExpired(question) ? 'Expired: denied' : 'Closed without an answer';
  const place = answeredWhere(by);
  if (kind === 'question') return `Answered ${place}`;
  if (answer === 'approve')
    return `Allowed ${by?.startsWith('remembered:') ? '' : 'once '}${place}`;
  return answer === 'deny' ? `Denied ${place}` : `Answered ${place}`;
}
