import type { Decision } from './decision.ts';

export type Ask = Extract<Decision, { kind: 'ask' }>;

/** Who answers a question that no remembered answer covers. */
export type Settled =
  | { readonly by: 'approve_mode'; readonly isApproved: boolean; readonly why: string }
  | { readonly by: 'person' };

/** Step 6. The approve mode never answers a forced ask. */
export function settleAsk(
  { forced }: Ask,
  { approveMode }: { readonly approveMode: 'ask' | 'allow' | 'deny' },
): Settled {
  if (forced || approveMode === 'ask') return { by: 'person' };
  const why = `The approve mode is "${approveMode}".`;
  return { by: 'approve_mode', isApproved: approveMode === 'allow', why };
}
