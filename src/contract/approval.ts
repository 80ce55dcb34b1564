export type ApprovalKind =
  | 'tool'
  | 'spend'
  | 'create'
  | 'changed_file'
  | 'changed_capsule'
  | 'raise'
  | 'unknown'
  | 'divergence'
  | 'hook'
  | 'route';

/** Yes and no; what answers only what a crash left unknown; and none of a short list. */
export type PlainAnswer = 'approve' | 'deny' | 'it_happened' | 'do_it' | 'abandon' | 'none';

/** One of a short list is named by its id. */
export type ApprovalAnswer = PlainAnswer | `capsule:${string}`;

/** A question to a person, as a row. */
export interface Approval {
  readonly id: string;
  readonly runId: string;
  readonly intentId: string | null;
  /** Empty for questions of the coordinator itself. */
  readonly subtaskId: string;
  readonly capsuleId: string;
  readonly kind: ApprovalKind;
  readonly question: string;
  /** Why it is asked at all. */
  readonly why: string;
  /** All that will be done, in full. */
  readonly details: string;
  /** The capsule's own words for it. */
  readonly capsuleReason: string;
  /** `terminal.write`, `chat`, `capsule.create`. */
  readonly operation: string;
  readonly target: string;
  readonly tier: number;
  /** Most that it may cost; null where nobody knows, 0 where it is free. */
  readonly costMicroUsd: number | null;
  readonly requestHash: string;
  readonly workspace: string;
  readonly capsuleHash: string;
  /** What the answer is for: see `binding.ts`. */
  readonly binding: string;
  readonly policyVersion: string;
  /** Only a person answers it: no mode, no remembered answer. */
  readonly isForced: boolean;
  readonly choices: readonly ApprovalAnswer[];
  readonly status: 'pending' | 'answered' | 'expired' | 'consumed';
  readonly answer: ApprovalAnswer | null;
  /** `terminal`, `cli`, `dashboard`, `approve_mode`, `remembered:<id>`, `nobody`. */
  readonly answeredBy: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  /** Null: it waits for ever. */
  readonly expiresAt: string | null;
  readonly answeredAt: string | null;
}

export type NewApproval = Omit<
  Approval,
  'id' | 'status' | 'answer' | 'answeredBy' | 'note' | 'createdAt' | 'answeredAt'
>;

/** An answer that is kept for later questions like this one. */
export interface RememberWish {
  /** `run`: until the run ends; `capsule`: for every run of the capsule. */
  readonly scope: 'run' | 'capsule';
  /** What it is for: see `policy/answer-pattern.ts`. */
  readonly pattern: string;
  /** Null: without an end. */
  readonly expiresAt: string | null;
  /** Null: as often as it comes. */
  readonly mostUses: number | null;
}

export interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  readonly by: string;
  readonly note?: string | undefined;
  readonly remember?: RememberWish | undefined;
  /** The binding of the question that was shown: an answer counts for nothing else. */
  readonly binding: string;
}
