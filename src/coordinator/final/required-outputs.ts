import { findWrittenFiles, type WrittenFile } from '../../registry/written-files.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';

/**
 * Files that a step must write: those that the plan names, or, if the plan names none in any step, those that the step's
 * text says to write.
 */
export function requiredOutputs({ parts, record }: RunContext, step: Step): readonly WrittenFile[] {
  if (step.writes.length > 0) return step.writes.map((name) => ({ name, mayExist: false }));
  const isNamed = parts.subtasks.of(record.id).some(({ writes }) => writes.length > 0);
  return isNamed ? [] : findWrittenFiles(step.description);
}
