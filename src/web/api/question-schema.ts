import * as z from 'zod';
import { numberOrNull, textOrNull } from './shared-schemas.ts';

/** A question with everything that helps to answer it. */
export const Question = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  question: z.string(),
  why: z.string(),
  details: z.string(),
  files: z.array(z.object({ path: z.string(), diff: textOrNull })),
  capsule_reason: z.string(),
  operation: z.string(),
  target: z.string(),
  tier: z.int(),
  cost_usd: numberOrNull,
  run_id: z.string(),
  task: z.string(),
  subtask_id: z.string(),
  capsule_id: z.string(),
  workspace: z.string(),
  binding: z.string(),
  is_forced: z.boolean(),
  choices: z.array(z.string()),
  free_text: z.boolean(),
  plan: z
    .unknown()
    .describe('Of kind `plan`: phase, steps, forecast and the capsules that a step may name.'),
  editable_steps: z
    .array(z.unknown())
    .nullable()
    .describe('Of kind `plan`: its steps as an answer takes them.'),
  answer: textOrNull,
  answered_by: textOrNull,
  note: textOrNull,
  asked_at: z.string(),
  expires_at: textOrNull,
  answered_at: textOrNull,
  always: z
    .object({
      pattern: textOrNull.describe('Null: exactly this request.'),
      scopes: z.array(z.enum(['run', 'capsule'])),
      until: z.string(),
    })
    .nullable(),
});
