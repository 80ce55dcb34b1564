import type { Decision } from './decision.ts';

export type Ask = Extract<Decision, { kind: 'ask' }>;

export interface AskFacts {
  readonly approveMode: 'ask' | 'allow' | 'deny';
  /** Whether anybody can be asked. */
  readonly isSomebodyThere: boolean;
}

/** Who answers an ask: nobody is left to wait for, or a person must say. */
export type Settled =
  | { readonly by: 'approve_mode' | 'nobody'; readonly isApproved: boolean; readonly why: string }
  | { readonly by: 'person' };

/** Step 6. The approve mode never answers a forced ask; what nobody can answer is a no. */
export function settleAsk({ forced }: Ask, { approveMode, isSomebodyThere }: AskFacts): Settled {
  if (!forced && approveMode !== 'ask') {
    const why = `The approve mode is "${approveMode}".`;
    return { by: 'approve_mode', isApproved: approveMode === 'allow', why };
  }
  if (isSomebodyThere) return { by: 'person' };
  return { by: 'nobody', isApproved: false, why: 'Nobody was there to approve it.' };
}
