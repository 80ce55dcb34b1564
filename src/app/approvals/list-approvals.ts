import type { Approval } from '../../contract/approval.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';

export interface ListApprovals {
  /** Answered and expired questions too, newest first. Default: only open questions, oldest first. */
  readonly all?: boolean | undefined;
  /** With `all`: the most to return. Default: 50. */
  readonly limit?: number | undefined;
}

/** Questions of every run. */
export function listApprovals(
  { runs, approvals }: Stores,
  { all = false, limit = 50 }: ListApprovals = {},
): readonly Approval[] {
  if (!all) return approvals.pending();
  const found: Approval[] = [];
  for (const { id } of runs.list({ limit: MAX_RUNS })) {
    found.push(...approvals.of(id).toReversed());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

const MAX_RUNS = 10_000;
