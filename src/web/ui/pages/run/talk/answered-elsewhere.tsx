import { useQuery } from '@tanstack/react-query';
import { get } from '../../../lib/api.ts';
import type { Question } from '../../../lib/api-documents.ts';
import { useNow } from '../../../lib/use-now.ts';
import { visible } from '../../../lib/visible.ts';
import { answerWords } from '../../../question/answer-words.ts';

const SHOWN_MS = 60_000;

/** Shows for a minute who answered the newest question of the run, unless it was answered in the dashboard. */
export function AnsweredElsewhere({ runId }: { runId: string }) {
  const now = useNow().getTime();
  const { data } = useQuery({
    queryKey: ['approvals', 'answered'],
    queryFn: () => get<{ approvals: readonly Question[] }>('/approvals?all=true&limit=10'),
  });
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
