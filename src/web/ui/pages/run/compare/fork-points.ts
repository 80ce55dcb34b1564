import type { RunPage, Step } from '../../../lib/api-documents.ts';

/** A step, and the number of its last request that has ended. */
export interface ForkPoint {
  readonly step: Step;
  readonly at: number;
}

/** Where a fork can begin, in the order of the record. Steps that ended no request are left out. */
export const forkPoints = ({ steps, requests }: Pick<RunPage, 'steps' | 'requests'>): ForkPoint[] =>
  steps
    .flatMap((step) => {
      const last = requests.findLast(
        ({ subtask_id: of, ended_at: at }) => of === step.id && at !== null,
      );
      return last ? [{ step, at: last.number }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
