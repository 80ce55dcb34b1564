import * as z from 'zod';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const IntentStatus = z.enum([
  'proposed',
  'waiting',
  'denied',
  'started',
  'done',
  'failed',
  'unknown',
]);
export type IntentStatus = z.infer<typeof IntentStatus>;

/** One request of a capsule (or of the coordinator), its decision and its outcome. */
export const IntentRecord = z.object({
  id: z.string(),
  runId: z.string(),
  /** Null for the coordinator's own calls. */
  attemptId: z.string().nullable(),
  subtaskId: z.string(),
  capsuleId: z.string(),
  /** The id that the capsule gave it; null if it gave none. */
  wireId: z.string().nullable(),
  kind: z.enum(['tool', 'chat', 'http']),
  /** `file_io.read`, `terminal.write`, `chat`. */
  name: z.string(),
  target: z.string(),
  tier: z.int(),
  /** Whether it may be performed twice. */
  repeatability: z.enum(['pure', 'idempotent', 'unsafe']),
  request: z.unknown(),
  requestHash: Sha256,
  /** SHA-256 of the request before a hook changed it; null if no hook did. */
  askedHash: Sha256.nullable(),
  /** The reason the capsule gave. Untrusted text. */
  reason: z.string(),
  status: IntentStatus,
  /** The step of the decision order that decided, 1 to 6. */
  step: z.int().nullable(),
  rule: z.string().nullable(),
  /** A stable code for the reason of a denial. */
  denial: z.string().nullable(),
  outcome: z.unknown().describe('The reply; null if there is none.'),
  /** The input of the decision, so that it can be made again. */
  facts: z.unknown(),
  /** Files that it changes: path, SHA-256 before and after, and the diff if the content is text. */
  effects: z.unknown(),
  /** Money and tokens reserved for it until it ends. */
  reservedMicroUsd: z.number(),
  reservedTokens: z.number(),
  costMicroUsd: z.number(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  proposedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type IntentRecord = Readonly<z.output<typeof IntentRecord>>;

/** The columns about the end of an intent. `outcome` is set if it was denied or failed, `facts` if a budget denied it. */
export type IntentSummary = Pick<
  IntentRecord,
  | 'subtaskId'
  | 'kind'
  | 'name'
  | 'target'
  | 'tier'
  | 'status'
  | 'step'
  | 'rule'
  | 'denial'
  | 'outcome'
> &
  Partial<Pick<IntentRecord, 'facts'>>;
