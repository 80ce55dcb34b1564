import * as z from 'zod';
import { type DocumentOf, numberOrNull, textOrNull } from './document-of.ts';

export const CapsuleRow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  origin: z.string(),
  is_edited: z.boolean().describe('It ships with Capstan, with an overlay of the user.'),
  quarantine: textOrNull,
  uses: z.int(),
  completed_share: numberOrNull.describe('0 to 1.'),
  median_ms: numberOrNull,
  p95_ms: numberOrNull,
  cost_usd: numberOrNull,
  last_ms: z.array(z.number()).describe('Durations of its last uses, oldest first.'),
});
export type CapsuleRow = DocumentOf<typeof CapsuleRow>;

export const BrokenCapsule = z.object({ id: z.string(), problem: z.string() });
export type BrokenCapsule = DocumentOf<typeof BrokenCapsule>;

export const CapsulePage = CapsuleRow.extend({
  overlay: z.string(),
  overlay_version: z.string(),
  shipped_overlay: textOrNull.describe('What it ships with, if another text replaces it.'),
  can_save: z.boolean(),
  trust: z.array(z.object({ tier: z.int(), level: z.string() })),
  grants: z.object({
    tools: z.record(z.string(), z.record(z.string(), z.array(z.string()).optional())),
    services: z.array(z.string()),
  }),
  task_kinds: z.array(
    z.object({
      ...{ name: z.string(), mode: z.string(), description: z.string() },
      examples: z.array(z.string()),
    }),
  ),
  skills: z.array(z.string()),
  versions: z.array(
    z.object({
      version: z.string(),
      uses: z.int(),
      completed_share: z.number(),
      last_used_at: textOrNull,
    }),
  ),
  memories: z.int(),
  cases: z.array(z.object({ name: z.string() })),
});
export type CapsulePage = DocumentOf<typeof CapsulePage>;

const Layer = z.object({ kind: z.string(), id: z.string(), text: z.string(), tokens: z.int() });

const Finding = z.object({
  line: numberOrNull.describe('Null: the whole text.'),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});

const REWORDED = z.int().describe('Model answers that were recorded under another prompt.');

export const CaseResult = z.object({
  passes: z.boolean(),
  problem: textOrNull,
  tokens: z.int().describe('Of the system prompt, once for each model call; estimated.'),
  cost_usd: z.number(),
  reworded: REWORDED,
});
export type CaseResult = DocumentOf<typeof CaseResult>;

export const PromptPreview = z.object({
  tokens: z.int(),
  layers: z.array(Layer).describe('Empty if a template in the overlay is invalid.'),
  findings: z.array(Finding),
});
export type PromptPreview = DocumentOf<typeof PromptPreview>;

export const CaseResults = z.object({
  cases: z.array(z.object({ name: z.string(), saved: CaseResult, draft: CaseResult })),
  duration_ms: z.int(),
});
export type CaseResults = DocumentOf<typeof CaseResults>;

const Repeated = z.object({
  status: z.enum(['completed', 'failed', 'waiting']).describe('waiting: it reached a question.'),
  problem: textOrNull,
  model_calls: z.int(),
  reworded: REWORDED,
});

const DifferentLines = z
  .array(z.object({ sign: z.enum(['+', '-', ' ']), text: z.string() }))
  .describe('Empty: the same.');

export const RepeatedTasks = z.object({
  tasks: z
    .array(
      z.object({
        ...{ run_id: z.string(), subtask_id: z.string(), task: z.string() },
        ...{ saved: Repeated, draft: Repeated, steps: DifferentLines, answer: DifferentLines },
      }),
    )
    .describe('Newest first; empty if it has done no task yet.'),
  duration_ms: z.int(),
});
export type RepeatedTasks = DocumentOf<typeof RepeatedTasks>;

export const MemoryItem = z.object({
  id: z.int(),
  text: z.string(),
  workspace: textOrNull,
  run_id: textOrNull,
  at: z.string(),
  is_untrusted: z.boolean(),
});
export type MemoryItem = DocumentOf<typeof MemoryItem>;

/** A capsule that would be made. */
export const Proposal = z.object({
  manifest: z.looseObject({
    ...{ id: z.string(), name: z.string(), description: z.string() },
    ...CapsulePage.pick({ grants: true, skills: true }).shape,
  }),
  overlay: z.string().max(262_144),
  overlaps: z
    .array(z.object({ capsule_id: z.string(), score: z.number() }))
    .describe('Capsules that do nearly the same.'),
  model_problem: textOrNull.describe('Why no model described it, if there is one.'),
});
export type Proposal = DocumentOf<typeof Proposal>;

/** The content of a capsule's archive or folder. */
export const ArchiveContent = z.object({
  ...{ id: z.string(), name: z.string(), description: z.string(), hash: z.string() },
  files: z.array(z.object({ path: z.string(), bytes: z.int() })),
});
export type ArchiveContent = DocumentOf<typeof ArchiveContent>;
