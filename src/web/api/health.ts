import * as z from 'zod';
import type { Capstan } from '../../app/open-capstan.ts';
import { Health, Overview } from '../../contract/documents/state-documents.ts';
import { type Route, type RouteContext, route } from './route.ts';
import { BY } from './shared-schemas.ts';

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
      .map(({ restMs, provider: name, model, failures }) => ({
        ...{ provider: name, model, failures },
        retry_at: restMs === 0 ? null : new Date(Date.now() + restMs).toISOString(),
      })),
    provider: provider.name,
    models,
  };
}

export const health: readonly Route[] = [
  route('GET /overview', {
    summary: 'Open questions, active runs, spending of today, paused providers',
    answer: Overview,
    handle: readOverview,
  }),
  route('GET /health', {
    summary: 'The checks of this machine',
    answer: Health,
    handle: async ({ capstan }) => ({
      checks: (await capstan.doctor.check()).map((one) => ({ ...one, fix: one.fix ?? null })),
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

type Status = Awaited<ReturnType<Capstan['status']['get']>>;

const KEPT_MS = 60_000;

const kept = new WeakMap<Capstan, { readonly atMs: number; readonly status: Promise<Status> }>();

/** The provider, models and sandbox that a run would use, found within the last minute. */
function recentStatus(capstan: Capstan): Promise<Status> {
  const last = kept.get(capstan);
  if (last && performance.now() - last.atMs < KEPT_MS) return last.status;
  const status = capstan.status.get();
  kept.set(capstan, { atMs: performance.now(), status });
  status.catch(() => kept.delete(capstan));
  return status;
}
