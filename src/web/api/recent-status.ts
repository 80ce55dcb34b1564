import type { Capstan } from '../../app/open-capstan.ts';

type Status = Awaited<ReturnType<Capstan['status']['get']>>;

const KEPT_MS = 60_000;

const kept = new WeakMap<Capstan, { readonly atMs: number; readonly status: Promise<Status> }>();

/** The provider, models and sandbox that a run would use, found within the last minute. */
export function recentStatus(capstan: Capstan): Promise<Status> {
  const last = kept.get(capstan);
  if (last && performance.now() - last.atMs < KEPT_MS) return last.status;
  const status = capstan.status.get();
  kept.set(capstan, { atMs: performance.now(), status });
  status.catch(() => kept.delete(capstan));
  return status;
}
