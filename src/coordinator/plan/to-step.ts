import type { SubtaskRecord } from '../store/subtask-store.ts';
import type { Step } from './plan.ts';

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
