import * as z from 'zod';
import { type DocumentOf, ErrorDocument, numberOrNull, textOrNull } from './document-of.ts';
import { Question } from './question-documents.ts';

/** One run in a list, with what people look for. */
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
  estimated_cost_usd: z.number().describe('The part of the cost that no vendor reported.'),
  is_free: z.boolean().describe('Its models cost nothing.'),
  open_questions: z.int(),
  is_dry_run: z.boolean().describe('It only made a plan.'),
  is_waiting: z.boolean().describe('Running, but it can only continue after a person answers.'),
  steps_done: z.int().describe('Completed steps.'),
  steps: z.int(),
  capsules: z.array(z.string()),
  line: z.string().describe('What it waits for, its current action, or how it ended.'),
});
export type RunRow = DocumentOf<typeof RunRow>;

/** Newest first. `next`: the cursor of the following page; null if there is none. */
export const RunList = z.object({ runs: z.array(RunRow), next: textOrNull });
export type RunList = DocumentOf<typeof RunList>;

export const Step = z.object({
  id: z.string(),
  phase: z.string(),
  description: z.string(),
  depends_on: z.array(z.string()),
  capsule_id: textOrNull,
  status: z.string(),
  reason: textOrNull,
  attempts: z.int(),
  result: textOrNull.describe('The result as its capsule reported it.'),
  error: ErrorDocument,
  started_at: textOrNull,
  ended_at: textOrNull,
  cost_usd: z.number(),
  score: numberOrNull,
});
export type Step = DocumentOf<typeof Step>;

/** One request without its content. */
export const RequestRow = z.object({
  intent_id: z.string(),
  number: z.int().describe('1, 2, 3, … A fork can start there.'),
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
  approved_by: textOrNull.describe('Who allowed it; null after another answer.'),
  answered_by: textOrNull,
  cost_usd: z.number(),
  estimated_cost_usd: z.number(),
  cost_note: textOrNull.describe('That a try was interrupted, which may have cost.'),
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
export type RequestRow = DocumentOf<typeof RequestRow>;

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
    named_capsule: textOrNull.describe('The capsule that the request asked for.'),
    can_resume: z.boolean().describe('Parked or failed; resuming would not only fail again.'),
  }),
  answer: textOrNull,
  error: ErrorDocument,
  steps: z.array(Step),
  requests: z.array(RequestRow),
  messages: z.array(z.object({ at: z.string(), by: z.string(), text: z.string() })),
  artifacts: z.array(
    z.object({ path: z.string(), bytes: z.int(), sha256: textOrNull, made_by: z.string() }),
  ),
  artifacts_left_out: z.int().exactOptional().describe('Older files that are not in the list.'),
  questions: z.array(Question).describe('Open ones, and all that its capsules asked.'),
  next: z.array(Next),
  session: z.array(z.object({ id: z.string(), task: z.string() })),
});
export type RunPage = DocumentOf<typeof RunPage>;

/** One request with its content, without secrets. */
export const RequestDetails = z.object({
  request: z.unknown(),
  result: z.unknown(),
  finish_reason: textOrNull,
  first_text_ms: numberOrNull,
  files: z.array(z.object({ path: z.string(), diff: textOrNull, by: z.string() })),
});
export type RequestDetails = DocumentOf<typeof RequestDetails>;

export const ReplayDifference = z.object({
  where: z.string().describe('`subtask s1, attempt 1 of file-clerk, request 2`'),
  recorded: z.string().describe('JSON or words.'),
  now: z.string(),
});
export type ReplayDifference = DocumentOf<typeof ReplayDifference>;

const FileChange = z.object({
  path: z.string(),
  kind: z.enum(['created', 'changed', 'deleted', 'renamed']),
  from: z.string().optional().describe('The path before the run, of a renamed file.'),
  diff: textOrNull,
  note: textOrNull,
  made_by: z.array(z.string()),
  is_undone: z.boolean().describe('The file is as it was before the run.'),
});

export const Changes = z.object({ files: z.array(FileChange), complete: z.boolean() });
export type Changes = DocumentOf<typeof Changes>;

/** What an undo does, or would do. */
export const UndoPlan = z.object({
  status: z.string(),
  restored: z.array(z.string()),
  removed: z.array(z.string()),
  recreated: z.array(z.string()),
  left: z.array(z.object({ path: z.string(), why: z.string() })),
  perhaps_yours: z.array(z.string()).describe('Files that changed while a command ran.'),
});
export type UndoPlan = DocumentOf<typeof UndoPlan>;

export const Replay = z.object({
  is_identical: z.boolean(),
  first_difference: ReplayDifference.nullable(),
  requests_answered: z.int(),
});
export type Replay = DocumentOf<typeof Replay>;

/** The prompt of a step, before the model's first answer. */
export const StepPrompt = z.object({
  tokens: z.int(),
  layers: z.array(
    z.object({ kind: z.string(), id: z.string(), text: z.string(), tokens: z.int() }),
  ),
  is_as_asked: z.boolean().describe('The capsule still says what the first request said.'),
});
export type StepPrompt = DocumentOf<typeof StepPrompt>;

/** How one step was routed. */
export const Receipt = z.object({
  subtask_id: z.string(),
  chosen: textOrNull,
  decided_by: z.string().describe('In words.'),
  candidates: z
    .array(z.object({ capsule_id: z.string(), score: z.number(), note: textOrNull }))
    .describe('The best first; `note`: why it could not be chosen.'),
});
export type Receipt = DocumentOf<typeof Receipt>;
