import type { RunPage } from '../../../../contract/documents/run-documents.ts';
import { KEEP_BEFORE, useDocument } from '../../lib/server/use-document.ts';

/** Reads a document about a run below its address, and reads it again as the run goes on. Only the newest is kept. */
export function usePart<Answer>({ run, steps, requests }: RunPage, part: string) {
  const ended = requests.filter(({ kind, ended_at: at }) => kind !== 'chat' && at !== null).length;
  const states = steps.map(({ status, capsule_id: who }) => `${status} ${who}`).join();
  return useDocument<Answer>(
    ['run', run.id, part, run.status, ended, states],
    `/runs/${run.id}/${part}`,
    { ...KEEP_BEFORE, gcTime: 0 },
  );
}
