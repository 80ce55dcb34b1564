import * as z from 'zod';
import { ModelHint } from '../../contract/chat.ts';
import type { NextAction } from '../../contract/next.ts';
import { Attachment, Conversation } from '../../contract/protocol.ts';
import { reasons } from '../../contract/status.ts';

/** The version of the format. A later one is rejected. */
export const RECORDING_VERSION = 1;

const Failure = z.object({
  code: z.string(),
  message: z.string(),
  next: z.custom<readonly NextAction[]>(Array.isArray).optional(),
});
const Reason = z.enum(reasons).nullable();
const CapsuleId = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  .max(64);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const RunNote = z.object({
  phase: z.enum(['discovery', 'execution']).nullable(),
  by: z.string(),
  text: z.string(),
});

const RecordedRun = z.object({
  id: z.string(),
  sessionId: z.string(),
  task: z.string(),
  workspace: z.string(),
  provider: z.string(),
  isolation: z.string(),
  options: z.record(z.string(), z.unknown()),
  status: z.enum(['pending', 'running', 'parked', 'completed', 'failed', 'cancelled']),
  reason: Reason,
  answer: z.string().nullable(),
  error: Failure.nullable(),
  seed: z.string(),
  policy: z.unknown(),
  policyVersion: z.string(),
  wish: z.object({
    namedCapsule: z.string().nullable(),
    namedHosts: z.array(z.string()),
    conversation: Conversation.exactOptional(),
    hint: ModelHint.exactOptional(),
    attachments: z.array(Attachment).max(100).exactOptional(),
    notes: z.array(RunNote).max(1_000).exactOptional(),
    planFirst: z.literal(true).exactOptional(),
  }),
  forkedFrom: z.string().nullable(),
  forkedAt: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});

const RecordedSubtask = z.object({
  id: z.string(),
  phase: z.enum(['discovery', 'execution']),
  description: z.string(),
  dependsOn: z.array(z.string()),
  replacedFor: z.enum(['failure', 'message']).nullable().default(null),
  capsuleId: CapsuleId.nullable(),
  taskKind: z.string().nullable(),
  route: z.unknown().describe('The routing receipt; null if no capsule was found.'),
  status: z.enum([
    'pending',
    'running',
    'waiting_approval',
    'completed',
    'failed',
    'skipped',
    'cancelled',
  ]),
  reason: Reason,
  result: z.unknown(),
  error: Failure.nullable(),
});
export type RecordedSubtask = z.infer<typeof RecordedSubtask>;

const RecordedAttempt = z.object({
  id: z.string(),
  subtaskId: z.string(),
  number: z.int().positive(),
  capsuleId: CapsuleId,
  capsuleHash: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'interrupted']),
  reason: Reason,
  error: Failure.nullable(),
  request: z.unknown().describe('The request that the capsule started with.'),
  response: z.unknown().describe('Its final; null if there is none.'),
  record: z
    .array(z.string())
    .max(100_000)
    .describe('Ids of the intents that answered it: its own and those it reused.'),
});
export type RecordedAttempt = z.infer<typeof RecordedAttempt>;

const RecordedIntent = z.object({
  id: z.string(),
  runId: z.string(),
  attemptId: z.string().nullable(),
  subtaskId: z.string(),
  capsuleId: z.string(),
  wireId: z.string().nullable(),
  kind: z.enum(['tool', 'chat', 'http']),
  name: z.string(),
  target: z.string(),
  tier: z.int(),
  repeatability: z.enum(['pure', 'idempotent', 'unsafe']),
  request: z.unknown(),
  requestHash: Sha256,
  askedHash: Sha256.nullable().default(null),
  reason: z.string(),
  status: z.enum(['proposed', 'waiting', 'denied', 'started', 'done', 'failed', 'unknown']),
  step: z.int().nullable(),
  rule: z.string().nullable(),
  denial: z.string().nullable(),
  outcome: z.unknown().describe('The reply; null if there is none.'),
  facts: z.unknown(),
  effects: z.unknown(),
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
export type RecordedIntent = z.infer<typeof RecordedIntent>;

const RecordedCapsule = z.object({
  id: CapsuleId,
  hash: z.string().describe('Hash of the files that the last attempt ran.'),
  origin: z
    .enum(['shipped', 'personal', 'project'])
    .nullable()
    .describe('Null if it did not exist any more when the recording was made.'),
  program: z
    .enum(['shim', 'own'])
    .describe('`shim`: it runs only on our SDK, so it can be made from the recording.'),
  manifest: z
    .string()
    .nullable()
    .describe('The text of `manifest.json`; null if the capsule ships with Capstan.'),
  overlay: z.string().nullable().describe('The text of its `skill.md`.'),
});
export type RecordedCapsule = z.infer<typeof RecordedCapsule>;

const RecordedFile = z.object({
  path: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  subtaskId: z.string(),
});

/** One run as one document with everything that a replay needs. */
export const Recording = z.object({
  format: z.literal('capstan-recording'),
  version: z.literal(RECORDING_VERSION),
  capstan: z.string().describe('The version of Capstan that wrote it.'),
  run: RecordedRun,
  subtasks: z.array(RecordedSubtask).max(10_000),
  attempts: z.array(RecordedAttempt).max(100_000),
  intents: z.array(RecordedIntent).max(100_000).describe('In the order of the requests.'),
  files: z.array(RecordedFile).max(100_000).describe('The files that the run wrote, by path.'),
  capsules: z.array(RecordedCapsule).max(10_000),
});
export type Recording = z.infer<typeof Recording>;
