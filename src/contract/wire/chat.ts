import * as z from 'zod';
import { modelHints } from './model-hints.ts';

const Json = z.record(z.string(), z.unknown());

export const ToolDescription = z.object({
  name: z.string(),
  description: z.string(),
  parameters: Json.describe('JSON Schema of the arguments.'),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

export const ModelHint = z.enum(modelHints);
export type ModelHint = z.infer<typeof ModelHint>;

/** Makes the schema of a tool call by a model. Like those below, no run without a model needs it. */
export const toolCallRequest = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    args: Json,
    invalid_args: z
      .string()
      .optional()
      .describe(
        'The arguments as the model wrote them, if they are not a JSON object; `args` is then empty.',
      ),
  });
export type ToolCallRequest = z.infer<ReturnType<typeof toolCallRequest>>;

/** Makes the schema of a message in a conversation with a model. */
export const chatMessage = () =>
  z.discriminatedUnion('role', [
    z.object({ role: z.literal('system'), content: z.string() }),
    z.object({ role: z.literal('user'), content: z.string() }),
    z.object({
      role: z.literal('assistant'),
      content: z.string(),
      tool_calls: z.array(toolCallRequest()).optional(),
    }),
    z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
  ]);
export type ChatMessage = z.infer<ReturnType<typeof chatMessage>>;

/** Makes the schema of a call of a model. */
export const chatRequest = () =>
  z.object({
    kind: z.literal('chat'),
    messages: z.array(chatMessage()).min(1),
    tools: z.array(ToolDescription).optional(),
    hint: ModelHint.default('balanced'),
    max_output_tokens: z.int().positive().max(200_000).optional(),
    response: z
      .object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), schema: Json })
      .optional()
      .describe('The answer must be one JSON document of this schema.'),
  });
export type ChatRequest = z.infer<ReturnType<typeof chatRequest>>;

export const Usage = z.object({
  input_tokens: z.int().nonnegative().describe('All input tokens, including cached ones.'),
  cached_input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

export interface ChatResponse {
  text: string;
  tool_calls: ToolCallRequest[];
  finish: 'stop' | 'tool_calls' | 'length' | 'refusal';
  model: string;
}
