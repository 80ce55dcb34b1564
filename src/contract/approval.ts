import type { PlanPreview } from './plan-preview.ts';

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
  | 'route'
  /** A question of a capsule. Its answer gives no permission. */
  | 'question'
  /** A plan that waits before its steps start. Its approval does not cover their effects. */
  | 'plan';

/** Approval or denial; the answers to an unknown outcome after a crash; and `none` for a choice of capsules. */
export type PlainAnswer = 'approve' | 'deny' | 'it_happened' | 'do_it' | 'abandon' | 'none';

/**
 * A `PlainAnswer`; a candidate by its id: `capsule:log-analyst`; to a capsule's question one of its choices, or the person's
 * own words.
 */
export type ApprovalAnswer = string;

/** A question to a person, as its row stores it. */
export interface Approval {
  readonly id: string;
  readonly runId: string;
  readonly intentId: string | null;
  /** Empty for the coordinator's own questions. */
  readonly subtaskId: string;
  readonly capsuleId: string;
  readonly kind: ApprovalKind;
  readonly question: string;
  /** Why the answer of a person is needed. */
  readonly why: string;
  /** The complete effect of an approval, as text. */
  readonly details: string;
  /** The reason the capsule gave. Untrusted text. */
  readonly capsuleReason: string;
  /** `terminal.write`, `chat`, `capsule.create`. */
  readonly operation: string;
  readonly target: string;
  readonly tier: number;
  /** Maximum cost; null if unknown, 0 if free. */
  readonly costMicroUsd: number | null;
  readonly requestHash: string;
  readonly workspace: string;
  readonly capsuleHash: string;
  /** Hash of everything that the answer is bound to: see `bindingOf`. */
  readonly binding: string;
  readonly policyVersion: string;
  /** Only a person may answer: no approve mode and no remembered answer applies. */
  readonly isForced: boolean;
  readonly choices: readonly ApprovalAnswer[];
  /** Whether any other text is an answer too: only if `kind` is `question`. */
  readonly freeText: boolean;
  /** The plan of a question of kind `plan`; else null. */
  readonly plan?: PlanPreview | null;
  readonly status: 'pending' | 'answered' | 'expired' | 'consumed';
  readonly answer: ApprovalAnswer | null;
  /** `terminal`, `cli`, `dashboard`, `approve_mode`, `remembered:<id>`, `nobody`. */
  readonly answeredBy: string | null;
  readonly note: string | null;
  /** The steps in place of the plan's, if the person edited them. */
  readonly editedSteps?: readonly unknown[] | null;
  readonly createdAt: string;
  /** Null: no deadline. */
  readonly expiresAt: string | null;
  readonly answeredAt: string | null;
}

/** Default of `freeText`: false; of `plan`: null. */
export type NewApproval = Omit<
  Approval,
  | 'id'
  | 'status'
  | 'answer'
  | 'answeredBy'
  | 'note'
  | 'createdAt'
  | 'answeredAt'
  | 'freeText'
  | 'plan'
  | 'editedSteps'
> &
  Partial<Pick<Approval, 'freeText' | 'plan'>>;

/** The scope and duration of a remembered answer. */
export interface RememberOptions {
  /** `run`: until the run ends; `capsule`: for every run of the capsule. */
  readonly scope: 'run' | 'capsule';
  /** Which requests it matches: see `policy/rules/answer-pattern.ts`. */
  readonly pattern: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  /** Null: no limit. */
  readonly maxUses: number | null;
}

/** An answer to a question. */
export interface Answer {
  readonly answer: ApprovalAnswer;
  /** As in `Approval.answeredBy`. */
  readonly by: string;
  readonly note?: string | undefined;
  readonly remember?: RememberOptions | undefined;
  /** For a plan: the edited steps that replace its own. */
  readonly editedSteps?: readonly unknown[] | undefined;
  /** The binding of the question as it was shown. The answer is refused if the question has changed since. */
  readonly binding: string;
}
