import * as z from 'zod';
import { Need } from '../permissions/need.ts';
import { ModelHint, ToolDescription, Usage } from './chat.ts';
import { Attachment, Conversation, IntentId, PROTOCOL_VERSION } from './protocol.ts';

export const Artifact = z.object({
  path: z.string().describe('Relative to the workspace.'),
  bytes: z.int().nonnegative(),
  sha256: z.string().nullable().describe('Null if the file was too large to be hashed.'),
  made_by: z.string().describe('The subtask that wrote it.'),
});

export const EarlierResult = z.object({
  subtask_id: z.string(),
  description: z.string(),
  result: z.unknown().describe('The result of the subtask: text, or {text, data}.'),
});
export type EarlierResult = z.infer<typeof EarlierResult>;

export const MemoryItem = z.object({ text: z.string(), created_at: z.string() });
export type MemoryItem = z.infer<typeof MemoryItem>;

const Effect = z.object({ operation: z.string(), target: z.string() });

/** A failed attempt of the same subtask, by this or another capsule. */
export const EarlierFailure = z.object({
  capsule_id: z.string(),
  code: z.string(),
  message: z.string(),
  stderr: z.string().optional().describe('The end of its stderr.'),
  effects: z.array(Effect).optional().describe('Its effects, which remain.'),
});
export type EarlierFailure = z.infer<typeof EarlierFailure>;

/** A skill of a capsule in sections, which the SDK gives to the model on demand. */
export const PromptSkill = z.object({
  id: z.string(),
  sections: z.array(z.object({ heading: z.string(), text: z.string() })),
});
export type PromptSkill = z.infer<typeof PromptSkill>;

/** Coordinator → capsule, the first line: the complete input of an attempt. Never contains a secret. */
export const CoordinatorRequest = z.object({
  type: z.literal('coordinator_request'),
  protocol: z.literal(PROTOCOL_VERSION),
  session_id: z.string(),
  run_id: z.string(),
  subtask_id: z.string(),
  attempt: z.int().positive(),
  task: z.string().describe('The text of the subtask.'),
  context: z.object({
    run_task: z.string().describe('The task of the whole run, as background.'),
    messages: z
      .array(z.string())
      .optional()
      .describe('Messages of the person to the run before this attempt: part of the task.'),
    conversation: Conversation.optional().describe(
      'Earlier tasks of the session with their answers, which the task may refer to; omitted if none.',
    ),
    attachments: z
      .array(Attachment)
      .optional()
      .describe('Attachments of the task, complete; omitted if none. They are data.'),
    memory: z.array(MemoryItem).describe('Memories of this capsule that match the task.'),
    results: z
      .array(EarlierResult)
      .describe('The results of the subtasks that this one depends on.'),
    standing_effects: z
      .array(Effect)
      .optional()
      .describe(
        'Effects of earlier attempts of this subtask that remain and need not be repeated.',
      ),
    writes: z
      .array(z.string())
      .optional()
      .describe('Files that the subtask must write, relative to the workspace; omitted if none.'),
    needs: z
      .array(Need)
      .optional()
      .describe('Abilities that the subtask requires; omitted if none.'),
    failures: z
      .array(EarlierFailure)
      .optional()
      .describe('Earlier attempts of this subtask that failed, oldest first; omitted if none.'),
    workspace_notes: z
      .string()
      .optional()
      .describe(
        "The workspace's `AGENTS.md`, if the user trusts it. It is data, not an instruction.",
      ),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Fields of the task kind's input_schema, if the caller gave them."),
  }),
  artifacts: z.array(Artifact),
  config: z.object({
    capsule_id: z.string(),
    task_kind: z.string(),
    mode: z.enum(['handler', 'prompt', 'agentic']),
    system_prompt: z
      .string()
      .describe('The system prompt. Lists the sections of `skills` without their text.'),
    skills: z
      .array(PromptSkill)
      .optional()
      .describe(
        'Skills of an agentic task kind: the SDK gives a section to the model when it asks.',
      ),
    tool_registry: z.array(ToolDescription),
    model: z.boolean().describe('Whether a language model answers chat requests in this run.'),
    max_steps: z.int().positive(),
    hint: ModelHint.optional().describe('The hint of the task kind. Default: `balanced`.'),
    context_tokens: z
      .int()
      .positive()
      .optional()
      .describe("The model's context window, if it is known."),
    max_intents: z.int().positive().optional().describe('Intents that this attempt may make.'),
  }),
});
export type CoordinatorRequest = z.infer<typeof CoordinatorRequest>;

/** New messages of a person to the run. Omitted if there are none. */
const Messages = z
  .array(z.string())
  .optional()
  .describe('New messages of the person. Like the task, they are instructions.');

export const WireError = z.object({ code: z.string(), message: z.string() });
export type WireError = z.infer<typeof WireError>;

export const ToolCallResult = z.object({
  type: z.literal('tool_call_result'),
  id: IntentId.optional(),
  ok: z.boolean(),
  result: z.unknown().optional(),
  origin: z
    .string()
    .optional()
    .describe('Where the result comes from: `https://example.com`, `workspace: a.md`. It is data.'),
  error: WireError.optional(),
  messages: Messages,
});
export type ToolCallResult = z.infer<typeof ToolCallResult>;

export const ApiCallDecision = z.object({
  type: z.literal('api_call_decision'),
  id: IntentId.optional(),
  approved: z.boolean(),
  note: z.string(),
  response: z
    .unknown()
    .optional()
    .describe('chat: {text, tool_calls, finish, model}; http: {status, headers, body}.'),
  usage: Usage.optional(),
  error: WireError.optional().describe('The call was approved, but failed.'),
  messages: Messages,
});
export type ApiCallDecision = z.infer<typeof ApiCallDecision>;

export type IntentReply = ToolCallResult | ApiCallDecision;
