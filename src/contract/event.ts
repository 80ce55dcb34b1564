import * as z from 'zod';

const at = { at: z.string().describe('ISO 8601, UTC.'), run_id: z.string() };
const inSubtask = { ...at, subtask_id: z.string(), capsule_id: z.string() };
const inIntent = { ...inSubtask, intent_id: z.string() };

/** The events for observers: terminal, run log, dashboard. Payloads are in the journal; an event contains their ids. */
export const CapstanEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run.started'),
    ...at,
    session_id: z.string(),
    task: z.string(),
    workspace: z.string(),
    provider: z.string(),
    isolation: z.string(),
  }),
  z.object({
    type: z.literal('provider.opened'),
    ...at,
    provider: z.string(),
    models: z.array(z.string()),
    origin: z.string().nullable(),
  }),
  z.object({ type: z.literal('run.noticed'), ...at, text: z.string() }),
  z.object({
    type: z.literal('run.ended'),
    ...at,
    status: z.enum(['parked', 'completed', 'failed', 'cancelled']),
    reason: z.string().nullable(),
    duration_ms: z.number(),
    cost_usd: z.number(),
  }),
  z.object({
    type: z.literal('plan.made'),
    ...at,
    phase: z.enum(['discovery', 'execution']),
    subtasks: z.array(
      z.object({ id: z.string(), description: z.string(), depends_on: z.array(z.string()) }),
    ),
  }),
  z.object({ type: z.literal('plan.repaired'), ...at, problem: z.string() }),
  z.object({
    type: z.literal('subtask.routed'),
    ...inSubtask,
    zone: z.enum(['take', 'close', 'create', 'named']),
    score: z.number(),
  }),
  z.object({ type: z.literal('subtask.started'), ...inSubtask, attempt: z.int() }),
  z.object({ type: z.literal('subtask.waiting'), ...inSubtask, question: z.string() }),
  z.object({
    type: z.literal('subtask.ended'),
    ...at,
    subtask_id: z.string(),
    capsule_id: z.string().nullable(),
    status: z.enum(['completed', 'failed', 'skipped', 'cancelled']),
    reason: z.string().nullable(),
    message: z.string().nullable(),
    summary: z
      .string()
      .optional()
      .describe(
        'The first sentence of its result, if that begins with prose; at most 300 characters.',
      ),
    duration_ms: z.number(),
  }),
  z.object({
    type: z.literal('capsule.started'),
    ...inSubtask,
    pid: z.int(),
    isolation: z.string().describe('Level and reason.'),
  }),
  z.object({
    type: z.literal('capsule.ended'),
    ...inSubtask,
    ok: z.boolean(),
    code: z.string().nullable(),
  }),
  z.object({
    type: z.literal('capsule.progressed'),
    ...inSubtask,
    text: z.string(),
    fraction: z.number().nullable(),
  }),
  z.object({
    type: z.literal('capsule.quarantined'),
    ...inSubtask,
    reason: z.string(),
  }),
  z.object({
    type: z.literal('memory.written'),
    ...inSubtask,
    text: z.string().describe('The first 500 characters.'),
    is_untrusted: z.boolean().describe('The run had read content that its user did not name.'),
  }),
  z.object({
    type: z.literal('memory.recalled'),
    ...inSubtask,
    count: z.int(),
    left_out: z.int().describe('Number of memories of this workspace that did not fit.'),
  }),
  z.object({ type: z.literal('capsule.noise'), ...inSubtask, text: z.string() }),
  z.object({
    type: z.literal('tool.requested'),
    ...inIntent,
    tool: z.string(),
    target: z.string(),
    program: z
      .string()
      .optional()
      .describe('The whole program of which `target` is the first line: at most 16 Ki characters.'),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('tool.answered'),
    ...inIntent,
    tool: z.string(),
    target: z.string(),
    ok: z.boolean(),
    message: z.string().nullable(),
    duration_ms: z.number(),
    isolation: z.string().optional().describe('Level and reason, if a process was started.'),
  }),
  z.object({
    type: z.literal('model.requested'),
    ...inIntent,
    provider: z.string(),
    model: z.string(),
    purpose: z.string(),
  }),
  z.object({
    type: z.literal('model.delayed'),
    ...inIntent,
    provider: z.string(),
    model: z.string(),
    problem: z.string(),
    wait_ms: z.number().describe('Time until the next try.'),
  }),
  z.object({
    type: z.literal('model.answered'),
    ...inIntent,
    provider: z.string(),
    model: z.string(),
    ok: z.boolean(),
    message: z.string().nullable(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number(),
    /** The part of `cost_usd` that no vendor reported. Omitted if all was reported. */
    estimated_cost_usd: z.number().optional(),
    /** The part of the tokens that was counted from the texts, because the vendor reported none. */
    estimated_tokens: z.int().optional(),
    duration_ms: z.number(),
  }),
  z.object({
    type: z.literal('run.resumed'),
    ...at,
    task: z.string(),
    workspace: z.string(),
    provider: z.string(),
  }),
  z.object({
    type: z.literal('message.received'),
    ...at,
    message_id: z.string(),
    by: z.string(),
    text: z.string().describe('The first 500 characters.'),
  }),
  z.object({ type: z.literal('intent.recalled'), ...inIntent, what: z.string() }),
  z.object({
    type: z.literal('intent.denied'),
    ...inIntent,
    what: z.string(),
    reason: z.string(),
    sentence: z.string(),
  }),
  z.object({
    type: z.literal('approval.asked'),
    ...inIntent,
    approval_id: z.string(),
    kind: z.string(),
    question: z.string(),
  }),
  z.object({
    type: z.literal('approval.decided'),
    ...inIntent,
    approval_id: z.string(),
    answer: z.string(),
    by: z.string(),
  }),
  z.object({
    type: z.literal('budget.warned'),
    ...at,
    rule: z.string(),
    what: z.string().describe('The subject of the limit, as text for people.'),
    capsule_id: z.string().nullable().describe('Null for a limit of the run or of the day.'),
    setting: z.string(),
    unit: z.enum(['usd', 'tokens']),
    used: z.number(),
    limit: z.number(),
  }),
  z.object({
    type: z.literal('breaker.opened'),
    ...at,
    provider: z.string(),
    model: z.string(),
    problem: z.string(),
    rest_ms: z.number(),
  }),
  z.object({
    type: z.literal('breaker.closed'),
    ...at,
    provider: z.string(),
    model: z.string(),
  }),
  z.object({
    type: z.literal('file.written'),
    ...inIntent,
    path: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    diff: z
      .string()
      .nullable()
      .optional()
      .describe('Unified, redacted, at most 16 Ki characters; null if there is none.'),
  }),
  z.object({ type: z.literal('file.removed'), ...inIntent, path: z.string() }),
]);
export type CapstanEvent = z.infer<typeof CapstanEvent>;

/** An event before the bus adds its time. */
export type UntimedEvent = CapstanEvent extends infer E
  ? E extends CapstanEvent
    ? Omit<E, 'at'>
    : never
  : never;

/**
 * A piece of the text of an incomplete answer. It has no number and is not recorded: the whole text is in
 * the journal, at the latest when `model.answered` is emitted.
 */
export interface ModelDelta {
  readonly type: 'model.delta';
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly run_id: string;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly intent_id: string;
  /** How many characters of the text come before the piece. The piece replaces what a follower has after them: 0 if the call was retried. */
  readonly from: number;
  readonly text: string;
}

/** A stored event. Its number within the run counts from 1 without a gap. */
export interface NumberedEvent {
  readonly seq: number;
  readonly event: CapstanEvent;
}
