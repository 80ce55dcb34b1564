import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { get } from '../../lib/api.ts';
import type { CapsulePage } from '../../lib/capsule-documents.ts';
import { duration, money } from '../../lib/format.ts';
import { visible } from '../../lib/visible.ts';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { Chip } from '../../parts/status.tsx';
import { CapsuleActions } from './capsule-actions.tsx';
import { Workbench } from './draft/workbench.tsx';
import { Grants } from './grants.tsx';
import { Memory } from './memory.tsx';
import { Versions } from './versions.tsx';

/** One capsule: its overlay beside the prompt, cases, versions, memory and grants. */
export default function Capsule() {
  const { id = '' } = useParams<{ id: string }>();
  const { data, error, refetch } = useQuery({
    queryKey: ['capsules', id],
    queryFn: () => get<CapsulePage>(`/capsules/${id}`),
  });
  if (error && !data) return <Unreadable error={error} retry={() => void refetch()} />;
  if (!data) return <Loading rows={6} />;
  return (
    <>
      <div className="top">
        <div>
          <p className="crumb">
            <Link href="/capsules">Capsules</Link>
            <span>/</span>
            <span className="mono">{data.id}</span>
          </p>
          <h1>{visible(data.name)}</h1>
          <div className="meta">
            {data.quarantine === null ? (
              <span className="chip good">Ready</span>
            ) : (
              <Chip status="failed" detail={`in quarantine: ${visible(data.quarantine)}`} />
            )}
            <span>{visible(data.description)}</span>
            <span className="num">version {data.version}</span>
          </div>
        </div>
        <CapsuleActions capsule={data} />
      </div>
      <Figures capsule={data} />
      <div className="bench">
        <Workbench key={data.id} capsule={data} />
        <Versions versions={data.versions} />
        <Memory id={data.id} />
        <Grants capsule={data} />
      </div>
    </>
  );
}

const Unreadable = (props: { error: unknown; retry: () => void }) => (
  <>
    <h1>Capsule</h1>
    <Failure {...props} list={{ href: '/capsules', name: 'All capsules' }} />
  </>
);

function Figures({ capsule }: { capsule: CapsulePage }) {
  const { uses, completed_share: share, median_ms, p95_ms, cost_usd, last_ms } = capsule;
  const figures: [string, string][] = [
    ['Uses', String(uses)],
    ['Completed', share === null ? '–' : `${(share * 100).toFixed(1)} %`],
    ['Median', median_ms === null ? '–' : duration(median_ms)],
    ['95th', p95_ms === null ? '–' : duration(p95_ms)],
    ['Cost per use', cost_usd === null ? '–' : money(cost_usd)],
  ];
  return (
    <dl className="card figs">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
      {last_ms.length > 1 && (
        <div className="sp">
          <dt>Last {last_ms.length} uses</dt>
          <dd>
            <Sparkline
              values={last_ms}
              label={`Duration of the last ${last_ms.length} uses, from ${duration(last_ms[0] ?? 0)} to ${duration(last_ms.at(-1) ?? 0)}`}
            />
          </dd>
        </div>
      )}
    </dl>
  );
}
