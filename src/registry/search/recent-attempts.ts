/** The recent attempts of a capsule in the workspace, without those that ended for reasons outside of it. */
export interface RecentAttempts {
  readonly completed: number;
  /** At most 20. */
  readonly attempts: number;
}

/** A capsule without attempts counts as if four of five had completed. */
const PRIOR = { completed: 4, attempts: 5 } as const;

/** Twenty failures outweigh any lead of a close decision. */
const WEIGHT = 0.2;

/**
 * What recent attempts add to a score in a close decision, −.13 to +.03:
 * `0.2 · ((completed + 4) / (attempts + 5) − 0.8)`. Without attempts: 0.
 */
export function successTerm({ completed, attempts }: RecentAttempts): number {
  const share = (completed + PRIOR.completed) / (attempts + PRIOR.attempts);
  return WEIGHT * (share - PRIOR.completed / PRIOR.attempts);
}
