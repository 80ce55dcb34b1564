import * as z from 'zod';

const text = z.string();
const textOrNull = text.nullable();
const at = { at: z.string().describe('ISO 8601, UTC.'), run_id: text };
const inSubtask = { ...at, subtask_id: text, capsule_id: text };
const inIntent = { ...inSubtask, intent_id: text };

const event = <const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** The events for observers: terminal, run log, dashboard. Payloads are in the journal; an event contains their ids. */
export const CapstanEvent = z.discriminatedUnion('type', [
  event('run.started', {
    ...at,
    session_id: text,
    task: text,
    workspace: text,
    provider: text,
    isolation: text,
  }),
  event('provider.opened', {
    ...at,
    provider: text,
    models: z.array(z.string()),
    origin: textOrNull,
    limit_usd: z.number().nullable().describe('The budget of the run; null: its models are free.'),
  }),
  event('run.noticed', { ...at, text }),
  event('run.ended', {
    ...at,
    status: z.enum(['parked', 'completed', 'failed', 'cancelled']),
    reason: textOrNull,
    duration_ms: z.number(),
    cost_usd: z.number(),
  }),
  event('plan.made', {
    ...at,
    phase: z.enum(['discovery', 'execution']),
    subtasks: z.array(z.object({ id: text, description: text, depends_on: z.array(z.string()) })),
  }),
  event('plan.repaired', { ...at, problem: text }),
  event('subtask.routed', {
    ...inSubtask,
    zone: z.enum(['take', 'close', 'create', 'named']),
    score: z.number(),
  }),
  event('subtask.started', { ...inSubtask, attempt: z.int() }),
  event('subtask.ended', {
    ...at,
    subtask_id: text,
    capsule_id: textOrNull,
    status: z.enum(['completed', 'failed', 'skipped', 'cancelled']),
    reason: textOrNull,
    message: textOrNull,
    summary: z
      .string()
      .optional()
      .describe(
        'The first sentence of its result, if that begins with prose; at most 300 characters.',
      ),
    duration_ms: z.number(),
  }),
  event('capsule.started', {
    ...inSubtask,
    pid: z.int(),
    isolation: z.string().describe('Level and reason.'),
  }),
  event('capsule.ended', { ...inSubtask, ok: z.boolean(), code: textOrNull }),
  event('capsule.progressed', { ...inSubtask, text, fraction: z.number().nullable() }),
  event('capsule.quarantined', { ...inSubtask, reason: text }),
  event('memory.written', {
    ...inSubtask,
    text: z.string().describe('The first 500 characters.'),
    is_untrusted: z.boolean().describe('The run had read content that its user did not name.'),
  }),
  event('memory.recalled', {
    ...inSubtask,
    count: z.int(),
    left_out: z.int().describe('Number of memories of this workspace that did not fit.'),
  }),
  event('capsule.noise', { ...inSubtask, text }),
  event('tool.requested', {
    ...inIntent,
    tool: text,
    target: text,
    program: z
      .string()
      .optional()
      .describe('The whole program of which `target` is the first line: at most 16 Ki characters.'),
    reason: text,
  }),
  event('tool.answered', {
    ...inIntent,
    tool: text,
    target: text,
    lines: z.string().optional().describe('The lines that it asked for, if not all: `200-400`.'),
    ok: z.boolean(),
    message: textOrNull,
    duration_ms: z.number(),
    isolation: z.string().optional().describe('Level and reason, if a process was started.'),
    exit_code: z.int().optional().describe('Of the command, if it ended by itself.'),
    signal: z.string().optional().describe('The signal that ended the command, if one did.'),
    output_end: z
      .array(z.string())
      .optional()
      .describe('The last lines that it printed, if it failed.'),
  }),
  event('model.requested', { ...inIntent, provider: text, model: text, purpose: text }),
  event('model.delayed', {
    ...inIntent,
    provider: text,
    model: text,
    problem: text,
    wait_ms: z.number().describe('Time until the next try.'),
  }),
  event('model.answered', {
    ...inIntent,
    provider: text,
    model: text,
    ok: z.boolean(),
    message: textOrNull,
    input_tokens: z.int(),
    /** The part of them that came from the vendor's cache. Omitted if none did. */
    cached_input_tokens: z.int().optional(),
    output_tokens: z.int(),
    cost_usd: z.number(),
    /** The part of `cost_usd` that no vendor reported. Omitted if all was reported. */
    estimated_cost_usd: z.number().optional(),
    /** The part of the tokens that was counted from the texts, because the vendor reported none. */
    estimated_tokens: z.int().optional(),
    duration_ms: z.number(),
  }),
  event('run.resumed', { ...at, task: text, workspace: text, provider: text }),
  event('message.received', {
    ...at,
    message_id: text,
    by: text,
    text: z.string().describe('The first 500 characters.'),
  }),
  event('intent.recalled', { ...inIntent, what: text }),
  event('intent.denied', { ...inIntent, what: text, reason: text, sentence: text }),
  event('approval.asked', { ...inIntent, approval_id: text, kind: text, question: text }),
  event('approval.decided', { ...inIntent, approval_id: text, answer: text, by: text }),
  event('budget.warned', {
    ...at,
    rule: text,
    what: z.string().describe('The subject of the limit, as text for people.'),
    capsule_id: textOrNull.describe('Null for a limit of the run or of the day.'),
    setting: text,
    unit: z.enum(['usd', 'tokens']),
    used: z.number(),
    limit: z.number(),
  }),
  event('breaker.opened', {
    ...at,
    provider: text,
    model: text,
    problem: text,
    rest_ms: z.number(),
  }),
  event('breaker.closed', { ...at, provider: text, model: text }),
  event('file.written', {
    ...inIntent,
    path: text,
    bytes: z.int(),
    sha256: text.nullable().describe('Null if the file was too large to be hashed.'),
    diff: z
      .string()
      .nullable()
      .optional()
      .describe('Unified, redacted, at most 16 Ki characters; null if there is none.'),
  }),
  event('file.removed', { ...inIntent, path: text }),
]);
export type CapstanEvent = z.infer<typeof CapstanEvent>;

/** The events of one type. */
export type EventOf<Type extends CapstanEvent['type']> = Extract<CapstanEvent, { type: Type }>;

/** An event before the bus adds its time. */
export type UntimedEvent = CapstanEvent extends infer E
  ? E extends CapstanEvent
    ? Omit<E, 'at'>
    : never
  : never;

/**
 * A piece of the text of an incomplete answer, or of the output of a running command. It has no number and is not
 * recorded: the result is in the journal, at the latest when `model.answered` or `tool.answered` is emitted.
 */
export interface TextDelta {
  readonly type: 'model.delta' | 'tool.delta';
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

export const isDelta = (one: CapstanEvent | TextDelta): one is TextDelta =>
  one.type.endsWith('.delta');

/** A stored event. Its number within the run counts from 1 without a gap. */
export interface NumberedEvent {
  readonly seq: number;
  readonly event: CapstanEvent;
}
