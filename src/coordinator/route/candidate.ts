import { AppError } from '../../contract/errors.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { RunContext } from '../context/run-context.ts';

/** A capsule, and the task kind to request. */
export interface Candidate {
  readonly capsule: Capsule;
  readonly kind: TaskKind;
}

/** The capsule with this id, if it exists and can be used with the provider of the run. */
export function candidateOf({ parts }: RunContext, id: string): Candidate | undefined {
  const capsule = parts.registry.find(id);
  const kind = capsule && parts.registry.kindFor(capsule, parts.provider.isModel);
  return kind && { capsule, kind };
}

/**
 * Checks the run's limit of capsules.
 *
 * @param ids Capsules that the subtask may get. Default: none that exists.
 * @throws AppError `CAPSULES_EXHAUSTED` if the limit is reached and the run uses none of them yet.
 */
export function assertCapsuleLimit(
  { parts, record }: RunContext,
  ids: readonly string[] = [],
): void {
  const limit = parts.limits.maxCapsules;
  parts.journal.flush();
  const used = parts.subtasks.capsulesOf(record.id);
  if (used.size >= limit && !ids.some((id) => used.has(id)))
    throw new AppError('CAPSULES_EXHAUSTED', { limit });
}
