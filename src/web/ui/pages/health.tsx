import type { Health as HealthDocument } from '../../../contract/documents/state-documents.ts';
import { path, post } from '../lib/server/api.ts';
import { useAction, useDocument, useOverview } from '../lib/server/use-document.ts';
import { plural } from '../lib/text/format.ts';
import { Card } from '../parts/card.tsx';
import { Button } from '../parts/input/button.tsx';
import { Pending } from '../parts/states.tsx';
import { Mark } from '../parts/status.tsx';
import { At } from '../parts/time.tsx';
import { Top } from '../parts/top.tsx';

const REFRESH_MS = 30_000;
const order = { fail: 0, warn: 1, ok: 2 } as const;
const marks = { fail: 'failed', warn: 'unknown', ok: 'completed' } as const;

/** The checks of this machine, failures first, and the paused providers. */
export default function Health() {
  const found = useDocument<HealthDocument>(['health'], '/health', { refetchInterval: REFRESH_MS });
  const { data } = found;
  const checks = (data?.checks ?? []).toSorted((a, b) => order[a.status] - order[b.status]);
  const many = (of: string) => checks.filter(({ status }) => status === of).length;
  const words = `${plural(many('fail'), 'problem')} and ${plural(many('warn'), 'warning')}.`;
  return (
    <>
      <Top title="Health" meta={<span>{data && words}</span>}>
        <Button word="Check again" onClick={() => void found.refetch()} />
      </Top>
      <Pending of={found} rows={8} />
      <Breakers />
      {checks.length > 0 && (
        <section className="card" aria-label="Checks">
          <ul className="rows">
            {checks.map(({ area, name, status, message, fix }) => (
              <li key={`${area} ${name}`} className="row check-row">
                <Mark status={message === 'not set' ? 'skipped' : marks[status]} isHidden />
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
  const breakers = useOverview().data?.breakers ?? [];
  const reset = useAction(
    (provider: string) => post(path`/breakers/${provider}/reset`),
    ['overview'],
  );
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
            <Button word="Try now" onClick={() => reset.mutate(provider)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
