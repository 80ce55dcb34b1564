import type { Question } from '../../../contract/documents/question-documents.ts';
import { useDocument } from '../lib/server/use-document.ts';
import { useNow } from '../lib/use-now.ts';

interface Questions {
  readonly approvals: readonly Question[];
}

/** The open questions of all runs. */
export const useQuestions = () => useDocument<Questions>(['approvals'], '/approvals');

const SHOWN_MS = 60_000;

/** The questions that were answered in the last minute, here or elsewhere, newest first. */
export function useAnswered(): readonly Question[] | undefined {
  const now = useNow().getTime();
  const { data } = useDocument<Questions>(
    ['approvals', 'answered'],
    '/approvals?all=true&limit=10',
  );
  return data?.approvals.filter(
    ({ answered_at: at }) => at !== null && now - Date.parse(at) < SHOWN_MS,
  );
}
