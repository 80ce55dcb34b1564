import * as z from 'zod';
import { EarlierTurn } from '../../contract/wire/protocol.ts';

const Found = z.object({ subtask_id: z.string(), description: z.string(), result: z.unknown() });

const EarlierTask = EarlierTurn.pick({ task: true, status: true, files: true });
export type EarlierTask = z.infer<typeof EarlierTask>;

/** The coordinator's request for a plan. */
export const PlanDocument = z.object({
  task: z.string(),
  phase: z.enum(['discovery', 'execution']).default('discovery'),
  found: z.array(Found).default([]),
  max_subtasks: z.int().positive().default(20),
  problem: z.string().nullish(),
  conversation: z.object({ turns: z.array(EarlierTask) }).optional(),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

const AnsweredSubtask = z.object({
  id: z.string(),
  description: z.string(),
  status: z.string(),
  reason: z.string().nullish(),
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
});
export type AnsweredSubtask = z.infer<typeof AnsweredSubtask>;

const Denied = z.object({
  subtask_id: z.string(),
  operation: z.string(),
  target: z.string(),
  sentence: z.string(),
});

/** The coordinator's request for a final answer. */
export const AnswerDocument = z.object({
  task: z.string(),
  status: z.string(),
  subtasks: z.array(AnsweredSubtask).default([]),
  artifacts: z.array(z.object({ path: z.string(), bytes: z.number() })).default([]),
  denials: z.array(Denied).optional(),
});
export type AnswerDocument = z.infer<typeof AnswerDocument>;
