import * as z from 'zod';
import { IntentRecord } from '../../contract/intent.ts';
import { StoredRequest, StoredRun } from '../../coordinator/store/runs/run-record.ts';
import { StoredAttempt, StoredSubtask } from '../../coordinator/store/subtasks/subtask-record.ts';

/** The version of the format. A later one is rejected. */
export const RECORDING_VERSION = 1;

const RecordedAttempt = StoredAttempt.extend({
  record: z
    .array(z.string())
    .max(100_000)
    .describe('Ids of the intents that answered it: its own and those it reused.'),
});
export type RecordedAttempt = z.infer<typeof RecordedAttempt>;

const RecordedCapsule = z.object({
  id: StoredAttempt.shape.capsuleId,
  hash: z.string().describe('Hash of the files that the last attempt ran.'),
  origin: z
    .enum(['shipped', 'personal', 'project'])
    .nullable()
    .describe('Null if it no longer existed when the recording was made.'),
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
  sha256: z.string().nullable(),
  bytes: z.number(),
  subtaskId: z.string(),
});

/** One run as one document with everything that a replay needs. */
export const Recording = z.object({
  format: z.literal('capstan-recording'),
  version: z.literal(RECORDING_VERSION),
  capstan: z.string().describe('The version of Capstan that wrote it.'),
  run: StoredRun.extend({ wish: StoredRequest }),
  subtasks: z.array(StoredSubtask).max(10_000),
  attempts: z.array(RecordedAttempt).max(100_000),
  intents: z.array(IntentRecord).max(100_000).describe('In the order of the requests.'),
  files: z.array(RecordedFile).max(100_000).describe('The files that the run wrote, by path.'),
  capsules: z.array(RecordedCapsule).max(10_000),
});
export type Recording = z.infer<typeof Recording>;
