import * as z from 'zod';

/** The grant of one tool. An omitted list of patterns grants nothing of that kind. */
export const ToolGrant = z.strictObject({
  operations: z
    .array(z.string().min(1))
    .optional()
    .describe('Operations of the tool (`read`, `write`, …). Default: all of them.'),
  paths: z
    .array(z.string().min(1))
    .optional()
    .describe('Globs relative to the workspace: `**`, `reports/*.md`.'),
  hosts: z
    .array(z.string().min(1))
    .optional()
    .describe('Host names: `api.example.com`, `*.example.com`, `*`.'),
  commands: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Argument vectors, word by word: `git log **`; `*` is one word, `**` the rest. `**` alone allows shell strings too.',
    ),
});
export type ToolGrant = z.infer<typeof ToolGrant>;

/** Whether a shell string is granted: only by `**`, since its words don't show what it does. */
export const grantsShell = (grant: ToolGrant): boolean =>
  (grant.commands ?? []).some((pattern) => pattern.trim() === '**');
