import * as z from 'zod';
import { type DocumentOf, textOrNull } from './document-of.ts';

const Breaker = z.object({
  provider: z.string(),
  model: z.string(),
  failures: z.int(),
  retry_at: textOrNull,
});

export const Overview = z.object({
  settings_problem: textOrNull.describe(
    'Why no run can start: settings that changed and are invalid.',
  ),
  waiting: z.int().describe('Open questions.'),
  live_runs: z.int(),
  spent_today_usd: z.number(),
  day_budget_usd: z.number(),
  spent_by_hour_usd: z.array(z.number()).describe('24 amounts, by local hour.'),
  isolation: z.object({ level: z.string(), reason: z.string() }),
  breakers: z.array(Breaker),
  quarantined: z.array(z.object({ capsule_id: z.string(), reason: z.string() })),
  provider: z.string().describe('The defaults of a run.'),
  models: z
    .object({ fast: z.string(), balanced: z.string(), best: z.string() })
    .nullable()
    .describe('Null: no model; only explicit instructions work.'),
  workspaces: z.array(z.string()).describe('Of recent runs, newest first.'),
  capsules: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type Overview = DocumentOf<typeof Overview>;

const Check = z.object({
  area: z.string(),
  name: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  message: z.string(),
  fix: textOrNull,
});

export const Health = z.object({ checks: z.array(Check) });
export type Health = DocumentOf<typeof Health>;

export const CostLine = z.object({
  name: z.string(),
  about: textOrNull,
  model_calls: z.int(),
  tool_calls: z.int(),
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number(),
  estimated_cost_usd: z.number(),
});
export type CostLine = DocumentOf<typeof CostLine>;

export const Costs = z.object({ by: z.string(), rows: z.array(CostLine), total: CostLine });
export type Costs = DocumentOf<typeof Costs>;
