import * as z from 'zod';
import { type Failure, reasons, runStatuses } from '../../../contract/status.ts';
import type { RunRequestRecord } from '../../context/run-request.ts';

const Text = z.string();

/** A failure in a row: an action that this version does not know is kept. */
export const StoredFailure = z.object({
  code: Text,
  message: Text,
  next: z.custom<NonNullable<Failure['next']>>(Array.isArray).optional(),
});

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
  readonly request: RunRequestRecord;
  /** The surface at which a person stopped it, so that it continues only by `resume`; null: not stopped since it was last resumed. */
  readonly stoppedBy: string | null;
}
