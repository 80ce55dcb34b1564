import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, post } from '../lib/api.ts';
import type { Health as HealthDocument } from '../lib/api-documents.ts';
import { plural } from '../lib/format.ts';
import { useOverview } from '../lib/use-overview.ts';
import { Card } from '../parts/card.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Mark } from '../parts/status.tsx';
import { At } from '../parts/time.tsx';

const REFRESH_MS = 30_000;
const order = { fail: 0, warn: 1, ok: 2 } as const;
const marks = { fail: 'failed', warn: 'unknown', ok: 'completed' } as const;

/** The checks of this machine, failures first, and the paused providers. */
export default function Health() {
  const { data, error, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: () => get<HealthDocument>('/health'),
    refetchInterval: REFRESH_MS,
  });
  const checks = (data?.checks ?? []).toSorted((a, b) => order[a.status] - order[b.status]);
  const bad = checks.filter(({ status }) => status !== 'ok').length;
  return (
    <>
      <div className="top">
        <div>
          <h1>Health</h1>
          <div className="meta">
            {data && (
              <span>{bad === 0 ? 'No problems found.' : `${plural(bad, 'problem')} found.`}</span>
            )}
          </div>
        </div>
        <div className="actions">
          <button type="button" className="btn" onClick={() => void refetch()}>
            Check again
          </button>
        </div>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading rows={8} />}
      <Breakers />
      {checks.length > 0 && (
        <section className="card" aria-label="Checks">
          <ul className="rows">
            {checks.map(({ area, name, status, message, fix }) => (
              <li key={`${area} ${name}`} className="row check-row">
                <Mark status={marks[status]} isHidden />
                <span className="what">
                  {name} <span className="vh">{status}</span>
                </span>
                <span className="sm dim">{message}</span>
                {fix && <code className="sub xs">{fix}</code>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Breakers() {
  const client = useQueryClient();
  const breakers = useOverview().data?.breakers ?? [];
  const reset = useMutation({
    mutationFn: (provider: string) => post(`/breakers/${provider}/reset`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['overview'] }),
  });
  if (breakers.length === 0) return null;
  return (
    <Card title="Paused providers" className="made">
      <ul className="rows">
        {breakers.map(({ provider, model, failures, retry_at: at }) => (
          <li key={`${provider} ${model}`} className="row check-row">
            <Mark status="unknown" isHidden />
            <span className="what">
              {provider} · {model}
            </span>
            <span className="sm dim">
              {plural(failures, 'failure')}
              {at && (
                <>
                  , next try at <At at={at} />
                </>
              )}
            </span>
            <button type="button" className="btn" onClick={() => reset.mutate(provider)}>
              Try now
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
