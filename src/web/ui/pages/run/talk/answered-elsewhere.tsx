import type { Question } from '../../../../../contract/documents/question-documents.ts';
import { useDocument } from '../../../lib/use-document.ts';
import { useNow } from '../../../lib/use-now.ts';
import { visible } from '../../../lib/visible.ts';
import { answerWords } from '../../../question/answer-words.ts';

const SHOWN_MS = 60_000;

/** Shows for a minute who answered the newest question of the run, unless it was answered in the dashboard. */
export function AnsweredElsewhere({ runId }: { runId: string }) {
  const now = useNow().getTime();
  const { data } = useDocument<{ approvals: readonly Question[] }>(
    ['approvals', 'answered'],
    '/approvals?all=true&limit=10',
  );
  const newest = data?.approvals.find(
    ({ run_id: run, answered_at: at }) =>
      run === runId && at !== null && now - Date.parse(at) < SHOWN_MS,
  );
  const isElsewhere = newest !== undefined && newest.answered_by !== 'dashboard';
  return (
    <p className="sm dim" role="status">
      {isElsewhere && `${visible(newest.question)} ${answerWords(newest)}`}
    </p>
  );
}
