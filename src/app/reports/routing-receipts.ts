import type { Receipt } from '../../contract/documents/run-documents.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/run-store.ts';
import type { Route } from '../../registry/search/route.ts';

const words: Readonly<Record<Route['decidedBy'], string>> = {
  name: 'named in the task',
  plan: 'named by the plan',
  score: 'best score',
  model: 'chosen by the model',
  person: 'chosen by a person',
  twin: 'nearly the capsule that would have been made',
  policy: 'made without a question, as the gate allows',
};

export function routingReceipts(
  { subtasks }: Pick<Stores, 'subtasks'>,
  { id: runId }: Pick<RunRecord, 'id'>,
): readonly Receipt[] {
  return subtasks.of(runId).flatMap(({ id, capsuleId, route }) => {
    if (!route) return [];
    const { decidedBy, candidates = [], leftOut = [] } = route as Route;
    return [
      {
        subtask_id: id,
        chosen: capsuleId,
        decided_by: words[decidedBy],
        candidates: [
          ...candidates.map((one) => ({ capsule_id: one.capsuleId, score: one.score, note: null })),
          ...leftOut.map((one) => ({
            capsule_id: one.capsuleId,
            score: 0,
            note: `lacks ${one.lacks.map((lack) => (typeof lack === 'string' ? lack : JSON.stringify(lack))).join(', ')}`,
          })),
        ],
      },
    ];
  });
}
