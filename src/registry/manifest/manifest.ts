import * as z from 'zod';
import { ToolGrant } from '../../contract/permissions/grant.ts';
import { ModelHint } from '../../contract/wire/chat.ts';
import { globProblem } from '../../platform/globs/glob-tokens.ts';

const id = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(64);

const skillId = z
  .string()
  .regex(
    /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/,
    'must be lower-case words joined by hyphens or underscores',
  )
  .max(64);

const pathPattern = z
  .string()
  .min(1)
  .superRefine((value, { addIssue }) => {
    const problem = globProblem(value.replace(/^!/, ''));
    if (problem !== undefined) addIssue(`"${value}": ${problem}`);
  });

/** A grant as a manifest holds it: its path patterns can be matched. */
const ManifestGrant = ToolGrant.extend({
  paths: z
    .array(pathPattern)
    .optional()
    .meta(ToolGrant.shape.paths.meta() ?? {}),
});

export const TaskKind = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be snake_case')
    .max(64),
  mode: z
    .enum(['handler', 'prompt', 'agentic'])
    .describe(
      '`handler`: a function, no model. `prompt`: one model call. `agentic`: model and tools in turn.',
    ),
  description: z.string().min(1).max(1_000),
  input_schema: z
    .record(z.string(), z.unknown())
    .default({ type: 'object' })
    .describe('JSON Schema of `context.input`.'),
  examples: z
    .array(z.string().min(1).max(500))
    .max(20)
    .default([])
    .describe('Tasks in the words of a user.'),
  files: z
    .array(z.string())
    .optional()
    .describe(
      'Globs of the file names that this kind works on. A task that names other files goes elsewhere.',
    ),
  hint: ModelHint.default('balanced'),
  max_steps: z.int().min(1).max(200).default(20),
});
export type TaskKind = z.infer<typeof TaskKind>;

/** Identity and grants of a capsule, as people edit them. Metrics, embeddings and trust are in the database. */
export const Manifest = z.strictObject({
  $schema: z.string().optional(),
  id,
  name: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must look like 1.0.0'),
  description: z
    .string()
    .min(1)
    .max(1_000)
    .describe('What it does and when to choose it: this is what routing reads.'),
  tags: z.array(z.string().min(1).max(50)).max(20).default([]),
  entrypoint: z
    .array(z.string().min(1))
    .min(1)
    .describe('Argument vector, relative to the folder: `["node", "entrypoint.cjs"]`.'),
  grants: z.strictObject({
    tools: z.record(z.string(), ManifestGrant).default({}),
    services: z.array(z.string()).default([]),
  }),
  skills: z
    .array(skillId)
    .default([])
    .describe('Ids from the skill catalogue, in the order of the prompt.'),
  task_kinds: z.array(TaskKind).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

/** The names of all fields, whatever their depth, for did-you-mean. */
export const manifestFields: readonly string[] = [
  ...Object.keys(Manifest.shape),
  ...Object.keys(Manifest.shape.grants.shape),
  ...Object.keys(ToolGrant.shape),
  ...Object.keys(TaskKind.shape),
];
