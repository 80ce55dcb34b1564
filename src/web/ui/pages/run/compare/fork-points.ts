import type { RunPage, Step } from '../../../../../contract/documents/run-documents.ts';

/** A step and the number of its last completed request. */
export interface ForkPoint {
  readonly step: Step;
  readonly at: number;
}

/** The points at which the run can be forked, oldest first. Steps without a completed request are left out. */
export const forkPoints = ({ steps, requests }: Pick<RunPage, 'steps' | 'requests'>): ForkPoint[] =>
  steps
    .flatMap((step) => {
      const last = requests.findLast(
        ({ subtask_id: of, ended_at: at }) => of === step.id && at !== null,
      );
      return last ? [{ step, at: last.number }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
