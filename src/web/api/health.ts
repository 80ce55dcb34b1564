import * as z from 'zod';
import { recentStatus } from './recent-status.ts';
import { type Route, type RouteContext, route } from './route.ts';
import { BY, textOrNull } from './shared-schemas.ts';

const Breaker = z.object({
  provider: z.string(),
  model: z.string(),
  failures: z.int(),
  retry_at: textOrNull,
});

export const Overview = z.object({
  waiting: z.int(),
  live_runs: z.int(),
  spent_today_usd: z.number(),
  day_budget_usd: z.number(),
  spent_by_hour_usd: z.array(z.number()),
  isolation: z.object({ level: z.string(), reason: z.string() }),
  breakers: z.array(Breaker),
  quarantined: z.array(z.object({ capsule_id: z.string(), reason: z.string() })),
  provider: z.string(),
  model: textOrNull,
  workspaces: z.array(z.string()),
  capsules: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** Counts, money, breakers, and what a run would use. */
export async function readOverview({ capstan }: Pick<RouteContext, 'capstan'>) {
  const [overview, breakers, { isolation, provider, models }] = await Promise.all([
    capstan.reports.overview(),
    capstan.breakers.list(),
    recentStatus(capstan),
  ]);
  return {
    ...overview,
    isolation,
    breakers: breakers
      .filter(({ state }) => state !== 'closed')
      .map(({ provider, model, failures, restMs }) => ({
        ...{ provider, model, failures },
        retry_at: restMs === 0 ? null : new Date(Date.now() + restMs).toISOString(),
      })),
    provider: provider.name,
    model: models?.balanced ?? null,
  };
}

const Check = z.object({
  area: z.string(),
  name: z.string(),
  status: z.enum(['ok', 'warn', 'fail']),
  message: z.string(),
  fix: textOrNull,
});

export const health: readonly Route[] = [
  route('GET /overview', {
    summary: 'What waits, what runs, what was spent today, what is paused',
    answer: Overview,
    handle: readOverview,
  }),
  route('GET /health', {
    summary: 'The checks of this machine',
    answer: z.object({ checks: z.array(Check) }),
    handle: async ({ capstan }) => ({
      checks: (await capstan.doctor.check()).map(({ area, name, status, message, fix }) => ({
        ...{ area, name, status, message },
        fix: fix ?? null,
      })),
    }),
  }),
  route('POST /breakers/:provider/reset', {
    summary: 'Forget the failures of a provider',
    params: z.object({ provider: z.string().min(1).max(200) }),
    answer: z.object({ reset: z.array(z.string()) }),
    handle: async ({ capstan }, { params }) => ({
      reset: await capstan.breakers.reset({ provider: params.provider, by: BY }),
    }),
  }),
];
