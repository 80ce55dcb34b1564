import * as z from 'zod';
import type { PlanPreview } from '../../../contract/plan-preview.ts';
import { type Failure, reasons, runStatuses } from '../../../contract/status.ts';
import { ModelHint } from '../../../contract/wire/chat.ts';
import { Attachment, Conversation } from '../../../contract/wire/protocol.ts';

const Text = z.string();

/** A failure in a row: an action that this version does not know is kept. */
export const StoredFailure = z.object({
  code: Text,
  message: Text,
  next: z.custom<NonNullable<Failure['next']>>(Array.isArray).optional(),
});

const RunNote = z.object({
  /** The plan that it was added for; null: for the whole run. */
  phase: z.enum(['discovery', 'execution']).nullable(),
  by: Text,
  text: Text,
});
export type RunNote = z.infer<typeof RunNote>;

/** The options of the task that a recording has, too. Those that do not apply are left out. */
export const StoredRequest = z.object({
  namedCapsule: Text.nullable(),
  /** In lower case. */
  namedHosts: z.array(Text),
  /** The earlier turns of the session, from the first plan on. */
  conversation: Conversation.exactOptional(),
  /** The hint for every step. Default: that of its task kind. */
  hint: ModelHint.exactOptional(),
  /** Attachments of the task, without secrets. */
  attachments: z.array(Attachment).max(100).exactOptional(),
  /** Notes that hooks added to the task. */
  notes: z.array(RunNote).max(1_000).exactOptional(),
  /** Whether a person must approve the plan before its steps start. */
  planFirst: z.literal(true).exactOptional(),
});

/** The options of the task, which a resumed run continues with. */
export interface RunRequestRecord extends Readonly<z.output<typeof StoredRequest>> {
  /** Whether only the plan is made. Default: false. */
  readonly dryRun?: true;
  /** Whether it checks models or tries a capsule: it is no task of a conversation. Default: false. */
  readonly isCheck?: true;
  /** The plan that a dry run made. */
  readonly preview?: PlanPreview;
  /** Attempts whose id sorts before this one were made before the failed run was resumed. */
  readonly retriedAfter?: string;
}

/** The columns of a run that a recording has, too. */
export const StoredRun = z.object({
  id: Text,
  sessionId: Text,
  task: Text,
  workspace: Text,
  provider: Text,
  isolation: Text,
  /** The settings that the run started with, without secrets. */
  options: z.record(Text, z.unknown()),
  status: z.enum(runStatuses),
  reason: z.enum(reasons).nullable(),
  answer: Text.nullable(),
  error: StoredFailure.nullable(),
  /** Seed for the samples of the run: 32 hexadecimal digits. */
  seed: Text,
  /** The rules, gates and budgets that the run started with. */
  policy: z.unknown(),
  /** SHA-256 of the policy. */
  policyVersion: Text,
  /** The run that this one was forked from, and the intent at which they differ first. */
  forkedFrom: Text.nullable(),
  forkedAt: Text.nullable(),
  createdAt: Text,
  endedAt: Text.nullable(),
});

export interface RunRecord extends Readonly<z.output<typeof StoredRun>> {
  /** The process that executes it: see `process-identity.ts`. */
  readonly owner: string;
  /** Until then the owner counts as alive if its process can't be checked. Null: the run has ended. */
  readonly leaseUntil: string | null;
  request: RunRequestRecord;
  /** The surface at which a person stopped it, so that it continues only by `resume`; null: not stopped since it was last resumed. */
  readonly stoppedBy: string | null;
}

/**
 * Whether a run can be continued. A failed run without a policy was refused because of invalid settings; what a check or a
 * trial does is known only to the process that started it.
 */
export const isResumable = ({
  status,
  policyVersion,
  request,
}: Pick<RunRecord, 'status' | 'policyVersion' | 'request'>): boolean =>
  !request.isCheck && (status === 'parked' || (status === 'failed' && policyVersion !== ''));
