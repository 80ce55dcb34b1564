import type { Step } from '../plan.ts';
import type { SubtaskRecord } from '../subtask-store.ts';

/** The step that a row was made from. */
export const toStep = (subtask: SubtaskRecord): Step => ({
  id: subtask.id,
  description: subtask.description,
  depends_on: [...subtask.dependsOn],
  ...(subtask.plannedCapsule === null ? {} : { capsule: subtask.plannedCapsule }),
  writes: [...subtask.writes],
  needs: [...subtask.needs],
  ...(subtask.hint === null ? {} : { hint: subtask.hint }),
});
