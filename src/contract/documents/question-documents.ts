import * as z from 'zod';
import { type DocumentOf, type InputOf, numberOrNull, textOrNull } from './document-of.ts';

/** A step of a plan. What a page does not edit goes back as it came. */
export const EditableStep = z.looseObject({
  id: z.string(),
  description: z.string(),
  depends_on: z.array(z.string()),
  capsule: z.string().optional(),
});
export type EditableStep = DocumentOf<typeof EditableStep>;

/** A question with everything that helps to answer it. */
export const Question = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  question: z.string(),
  why: z.string(),
  details: z.string().describe('The whole request.'),
  files: z
    .array(z.object({ path: z.string(), from: z.string().optional(), diff: textOrNull }))
    .describe(
      'The files it changes. `diff` is null if there is none to show; `from` is the former path of a renamed file.',
    ),
  capsule_reason: z.string().describe('Untrusted text.'),
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
    .array(EditableStep)
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
    .nullable()
    .describe('The proposed pattern of a remembered answer; null if it is not allowed.'),
});
export type Question = DocumentOf<typeof Question>;

/** How a capsule's earlier requests of this kind were answered. */
export const QuestionHistory = z.object({
  answers: z
    .array(z.object({ at: z.string(), is_allowed: z.boolean() }))
    .describe('To earlier requests of this capsule with the same operation, oldest first.'),
  trust: z.string().describe("The capsule's trust in the tier of the question."),
});
export type QuestionHistory = DocumentOf<typeof QuestionHistory>;

/** How many of a capsule's last requests a pattern would have matched. */
export const PatternPreview = z.object({
  is_valid: z.boolean(),
  problem: textOrNull.describe('What is wrong with the pattern.'),
  matched: z.int(),
  of: z.int(),
});
export type PatternPreview = DocumentOf<typeof PatternPreview>;

/** An answer that is also given to later questions. */
export const RememberedRow = z.object({
  id: z.string(),
  capsule_id: z.string(),
  operation: z.string(),
  pattern: z.string(),
  answer: z.string(),
  workspace: z.string(),
  run_id: textOrNull.describe('Null: every run of the capsule.'),
  expires_at: textOrNull,
  revoked_at: textOrNull,
});
export type RememberedRow = DocumentOf<typeof RememberedRow>;

const Remember = z.strictObject({
  scope: z.enum(['run', 'capsule']),
  pattern: textOrNull.optional().describe('Default: exactly this request.'),
  expires_at: textOrNull
    .refine((at) => at === null || Date.parse(at) > Date.now(), 'must be a time in the future')
    .optional(),
});

/** An answer to a question. */
export const AnswerBody = z.strictObject({
  answer: z.string().min(1).max(4_000),
  binding: z.string().min(8).max(200),
  note: z.string().max(2_000).optional(),
  steps: z
    .array(z.unknown())
    .max(100)
    .optional()
    .describe('For a plan that is approved: the edited steps.'),
  remember: Remember.optional(),
});
export type AnswerBody = InputOf<typeof AnswerBody>;
