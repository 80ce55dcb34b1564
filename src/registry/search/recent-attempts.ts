/** How a capsule fared in its recent attempts in the workspace, those left out that ended for reasons outside of it. */
export interface RecentAttempts {
  readonly completed: number;
  /** 20 at most. */
  readonly attempts: number;
}

/** A capsule without attempts counts as if four of five had completed. */
const PRIOR = { completed: 4, attempts: 5 } as const;

/** So that twenty failures outweigh any lead with which a call is still close. */
const WEIGHT = 0.2;

/**
 * What recent attempts add to a score in a close call, −.13 to +.03:
 * `0.2 · ((completed + 4) / (attempts + 5) − 0.8)`. Without attempts: 0.
 */
export function successTerm({ completed, attempts }: RecentAttempts): number {
  const share = (completed + PRIOR.completed) / (attempts + PRIOR.attempts);
  return WEIGHT * (share - PRIOR.completed / PRIOR.attempts);
}
