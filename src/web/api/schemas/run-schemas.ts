import * as z from 'zod';
import { Question } from './question-schemas.ts';
import { ErrorDocument, numberOrNull, Since, textOrNull } from './shared-schemas.ts';

export const RunRow = z.object({
  id: z.string(),
  session_id: z.string(),
  status: z.string(),
  reason: textOrNull,
  task: z.string(),
  workspace: z.string(),
  provider: z.string(),
  created_at: z.string(),
  ended_at: textOrNull,
  duration_ms: z.number().describe('Without the time in which it was parked.'),
  cost_usd: z.number(),
  open_questions: z.int(),
  is_waiting: z.boolean().describe('Running, but nothing goes on before a person answers.'),
  steps_done: z.int(),
  steps: z.int(),
  capsules: z.array(z.string()),
  line: z.string().describe('What it does now, or how it ended.'),
});

export const RunList = z.object({ runs: z.array(RunRow), next: textOrNull });

export const Step = z.object({
  id: z.string(),
  phase: z.string(),
  description: z.string(),
  depends_on: z.array(z.string()),
  capsule_id: textOrNull,
  status: z.string(),
  reason: textOrNull,
  attempts: z.int(),
  result: textOrNull,
  error: ErrorDocument,
  started_at: textOrNull,
  ended_at: textOrNull,
  cost_usd: z.number(),
  score: numberOrNull,
});

export const RequestRow = z.object({
  intent_id: z.string(),
  number: z.int(),
  subtask_id: z.string(),
  capsule_id: z.string(),
  kind: z.string(),
  name: z.string(),
  target: z.string(),
  status: z.string(),
  tier: z.int(),
  decision: textOrNull,
  rule: textOrNull,
  reason: textOrNull,
  approved_by: textOrNull,
  cost_usd: z.number(),
  proposed_at: z.string(),
  asked_at: textOrNull,
  answered_at: textOrNull,
  started_at: textOrNull,
  ended_at: textOrNull,
  model: textOrNull,
  input_tokens: numberOrNull,
  cached_input_tokens: numberOrNull,
  output_tokens: numberOrNull,
});

const Next = z.object({
  action: z.string(),
  id: z.string().optional(),
  choices: z.array(z.string()).optional(),
  free_text: z.boolean().optional(),
});

/** Everything about one run that fits into one answer. */
export const RunPage = z.object({
  run: RunRow.extend({
    model: textOrNull,
    isolation: z.string(),
    isolation_reason: z.string(),
    budget_usd: numberOrNull,
    forked_from: textOrNull,
  }),
  answer: textOrNull,
  error: ErrorDocument,
  steps: z.array(Step),
  requests: z.array(RequestRow),
  messages: z.array(z.object({ at: z.string(), by: z.string(), text: z.string() })),
  artifacts: z.array(
    z.object({ path: z.string(), bytes: z.int(), sha256: z.string(), made_by: z.string() }),
  ),
  questions: z.array(Question),
  next: z.array(Next),
  session: z.array(z.object({ id: z.string(), task: z.string() })),
});

/** One request with its content. */
export const RequestDetails = z.object({
  request: z.unknown(),
  result: z.unknown(),
  finish_reason: textOrNull,
  first_text_ms: numberOrNull,
  files: z.array(z.object({ path: z.string(), diff: textOrNull, by: z.string() })),
});

export const ReplayDifference = z.object({
  where: z.string().describe('`subtask s1, attempt 1 of file-clerk, request 2`'),
  recorded: z.string().describe('JSON or words.'),
  now: z.string(),
});

const FileChange = z.object({
  path: z.string(),
  kind: z.enum(['created', 'changed', 'deleted']),
  diff: textOrNull,
  note: textOrNull,
  made_by: z.array(z.string()),
});

export const Changes = z.object({ files: z.array(FileChange), complete: z.boolean() });

export const Replay = z.object({
  is_identical: z.boolean(),
  first_difference: ReplayDifference.nullable(),
  requests_answered: z.int(),
});

export const StepPrompt = z.object({
  tokens: z.int(),
  layers: z.array(
    z.object({ kind: z.string(), id: z.string(), text: z.string(), tokens: z.int() }),
  ),
  is_as_asked: z.boolean().describe('The capsule still says what the first request said.'),
});

export const Receipt = z.object({
  subtask_id: z.string(),
  chosen: textOrNull,
  decided_by: z.string(),
  candidates: z.array(z.object({ capsule_id: z.string(), score: z.number(), note: textOrNull })),
});

const status = z.enum(['pending', 'running', 'parked', 'completed', 'failed', 'cancelled']);

export const RunFilter = z.object({
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(status))
    .optional()
    .describe('One status or several with commas.'),
  workspace: z.string().optional(),
  capsule: z.string().optional(),
  min_cost: z.coerce.number().min(0).optional().describe('At least this many dollars.'),
  since: Since.optional(),
  text: z.string().max(200).optional(),
  after: z.string().optional().describe('`next` of the page before.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const StartRun = z.strictObject({
  task: z.string().min(1).max(100_000),
  workspace: z.string().min(1).max(4_096).optional(),
  session: z.string().max(100).optional(),
  capsule: z.string().max(200).optional(),
  hint: z.enum(['fast', 'balanced', 'best']).optional(),
  budget_usd: z.number().min(0).max(1_000_000).optional(),
  plan_first: z.boolean().optional().describe('The plan waits as a question of kind `plan`.'),
  dry_run: z.boolean().optional().describe('Only plans.'),
  attachments: z
    .array(z.strictObject({ name: z.string().min(1).max(100), text: z.string() }))
    .max(10)
    .optional()
    .describe('Texts given with the task: data, no instructions.'),
});
