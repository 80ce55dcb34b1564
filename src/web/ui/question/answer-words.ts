import type { Question } from '../../../contract/documents/question-documents.ts';
import { capsuleName } from '../lib/text/format.ts';

/** Whether a capsule asks, not Capstan itself. */
export const isOfCapsule = ({ capsule_id: capsule, kind }: Question): boolean =>
  capsuleName(capsule) === capsule && kind !== 'plan';

const where: Readonly<Record<string, string>> = {
  dashboard: 'here',
  terminal: 'in a terminal',
  cli: 'in a terminal',
  approve_mode: 'by the approve mode',
};

/** Where or by what a question was answered: `in a terminal` */
export const answeredWhere = (by: string | null): string =>
  where[by ?? ''] ?? (by?.startsWith('remembered:') ? 'by a remembered answer' : `by ${by}`);

/** Says how a question was answered, and where: `Allowed once in a terminal` */
export function answerWords({ answer, answered_by: by, kind }: Question): string {
  const place = answeredWhere(by);
  if (kind === 'question') return `Answered ${place}`;
  if (answer === 'approve') return `Allowed once ${place}`;
  return answer === 'deny' ? `Denied ${place}` : `Answered ${place}`;
}
