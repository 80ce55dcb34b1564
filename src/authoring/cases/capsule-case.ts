import * as z from 'zod';
import { MAX_TASK_CHARS } from '../../contract/limits.ts';

const one = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema, z.array(schema).min(1).max(50)]);

const Text = z.union([
  z.string(),
  z.array(z.string()).min(1).max(50),
  z.strictObject({
    equals: z.string().optional().describe('The whole text, without whitespace at its ends.'),
    contains: one(z.string()).optional(),
    excludes: one(z.string()).optional(),
  }),
]);
export type ExpectedText = z.infer<typeof Text>;

const JsonValue = z.strictObject({
  path: z.string().min(1).max(500).describe('`data.rows[0].count`; `$` is the whole.'),
  equals: z.unknown(),
});

const File = z.strictObject({
  absent: z.literal(true).optional().describe('There must be no such file.'),
  text: Text.optional(),
  json: z.array(JsonValue).max(50).optional(),
});

const ToolCall = z.strictObject({
  tool: z.string().min(1),
  operation: z.string().min(1).optional().describe('`read`, `write`, …'),
  args: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Arguments that must have these values. Others may be present.'),
  times: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Exact number of calls. Default: at least one.'),
});

const Input = z.union([
  z.string().describe('The text of the file.'),
  z.strictObject({
    from: z.string().min(1).describe('A file below the folder of the cases, copied unchanged.'),
  }),
]);

const path = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (text) => !/[\\\0]/.test(text) && text.split('/').every((name) => !/^\.{0,2}$/.test(name)),
    'must be a plain path inside the workspace, such as data/notes.txt',
  );

/** One task of a capsule's own tests: its input and the expected outcome. */
export const CapsuleCase = z.strictObject({
  task: z.string().min(1).max(MAX_TASK_CHARS).describe('In the words of a user.'),
  task_kind: z
    .string()
    .optional()
    .describe(
      'Default: one for a model if the case has recorded answers or runs with a live model, else a handler.',
    ),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Fields of the task kind's input_schema."),
  inputs: z
    .record(path, Input)
    .default({})
    .describe('Files of the workspace at the start, by path.'),
  today: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must look like 2026-11-21')
    .default('2026-01-01')
    .describe('The value of {{today}}.'),
  expect: z.strictObject({
    status: z.enum(['completed', 'failed']).default('completed'),
    error: z.string().optional().describe('The code of the failure.'),
    text: Text.optional().describe(
      "The answer's text: a text or list that it must contain, or an object.",
    ),
    json: z.array(JsonValue).max(50).optional().describe('Values of the answer, {text, data}.'),
    files: z.record(path, File).optional().describe('Files of the workspace at the end, by path.'),
    tool_calls: z.array(ToolCall).max(50).optional().describe('Calls that must be made.'),
    no_tool_calls: z
      .array(ToolCall.omit({ times: true }))
      .max(50)
      .optional()
      .describe('Calls that must not be made.'),
    max_cost_usd: z.number().nonnegative().optional(),
    max_steps: z.int().nonnegative().optional().describe('Maximum number of model calls.'),
    max_tool_calls: z.int().nonnegative().optional(),
  }),
});
export type CapsuleCase = z.infer<typeof CapsuleCase>;
export type Expected = CapsuleCase['expect'];
