import { Link, useParams } from 'wouter';
import type { CapsulePage } from '../../../../contract/documents/capsule-documents.ts';
import { path } from '../../lib/server/api.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import { duration, money, plural, visible } from '../../lib/text/format.ts';
import { Card } from '../../parts/card.tsx';
import { Bar } from '../../parts/figures/bar.tsx';
import { Pairs } from '../../parts/figures/pairs.tsx';
import { Rows } from '../../parts/figures/rows.tsx';
import { Sparkline } from '../../parts/figures/sparkline.tsx';
import { Unread } from '../../parts/states.tsx';
import { Chip } from '../../parts/status.tsx';
import { Past } from '../../parts/time.tsx';
import { Top } from '../../parts/top.tsx';
import { CapsuleActions } from './capsule-actions.tsx';
import { Workbench } from './draft/workbench.tsx';
import { Grants } from './grants.tsx';
import { Memory } from './memory.tsx';

/** A person may edit the files of the capsule elsewhere. How often they are read again while the page is shown, in milliseconds. */
const READ_MS = 3_000;

/** One capsule: its overlay beside the prompt, cases, versions, memory and grants. */
export default function Capsule() {
  const { id = '' } = useParams<{ id: string }>();
  const found = useDocument<CapsulePage>(['capsules', id], path`/capsules/${id}`, {
    refetchInterval: READ_MS,
  });
  const { data } = found;
  if (!data)
    return <Unread title="Capsule" of={found} list={{ href: '/capsules', name: 'All capsules' }} />;
  const crumb = (
    <>
      <Link href="/capsules">Capsules</Link>
      <span>/</span>
      <span className="mono">{data.id}</span>
    </>
  );
  const meta = (
    <>
      {data.quarantine === null ? (
        <span className="chip good">Ready</span>
      ) : (
        <Chip status="failed" detail={`in quarantine: ${visible(data.quarantine)}`} />
      )}
      <span>{visible(data.description)}</span>
      <span className="num">
        version {data.version}
        {data.is_edited && ', edited'}
      </span>
    </>
  );
  return (
    <>
      <Top title={visible(data.name)} crumb={crumb} meta={meta}>
        <CapsuleActions capsule={data} />
      </Top>
      <Figures capsule={data} />
      <div className="bench">
        <Workbench key={data.id} capsule={data} />
        <Versions versions={data.versions} />
        <Memory id={data.id} />
        <TaskKinds kinds={data.task_kinds} />
        <Card id="grants" title="Grants and trust">
          <Grants of={data} more={trustOf(data)} />
        </Card>
      </div>
    </>
  );
}

function Figures({ capsule }: { capsule: CapsulePage }) {
  const { uses, completed_share: share, median_ms, p95_ms, cost_usd, last_ms } = capsule;
  const of = (value: number | null, words: (value: number) => string) =>
    value === null ? '–' : words(value);
  const figures = [
    ['Tasks taken on', String(uses)],
    ['Completed', of(share, (one) => `${(one * 100).toFixed(1)} %`)],
    ['Median', of(median_ms, duration)],
    ['95 % within', of(p95_ms, duration)],
    ['Cost per use', of(cost_usd, money)],
  ] as const;
  const [first = 0, last = 0] = [last_ms[0], last_ms.at(-1)];
  const label = `Duration of the last ${last_ms.length} uses, from ${duration(first)} to ${duration(last)}`;
  return (
    <Pairs className="card figs" pairs={figures}>
      {last_ms.length > 1 && (
        <div className="sp">
          <dt>Last {last_ms.length} uses</dt>
          <dd>
            <Sparkline values={last_ms} label={label} />
          </dd>
        </div>
      )}
    </Pairs>
  );
}

const tiers = ['reading', 'writing', 'executing', 'spending'];

/** The trust of a capsule per tier, as names with their values. */
const trustOf = ({ trust }: CapsulePage) =>
  tiers.map((name, tier) => {
    const level = trust.find((one) => one.tier === tier)?.level ?? 'supervised';
    return [`trust, ${name}`, level] as const;
  });

/** The kinds of tasks that a capsule takes, with examples. */
const TaskKinds = ({ kinds }: { kinds: CapsulePage['task_kinds'] }) => (
  <Card id="kinds" title="Task kinds">
    <dl className="kv body">
      {kinds.map(({ name, mode, description, examples }, at) => (
        <div key={name} className="pair">
          <dt>
            {name} <span className="xs">({mode})</span>
          </dt>
          <dd>
            {visible(description)}
            {/* Kinds with and without a model often share their examples. */}
            {examples.join() !== kinds[at - 1]?.examples.join() &&
              examples.slice(0, 3).map((example) => (
                <p key={example} className="xs dim">
                  {visible(example)}
                </p>
              ))}
          </dd>
        </div>
      ))}
    </dl>
  </Card>
);

/** Versions of the overlay with their success rates. */
const Versions = ({ versions }: { versions: CapsulePage['versions'] }) => (
  <Card id="versions" title="Versions">
    <Rows of={versions} empty="Not used yet.">
      {({ version, uses, completed_share: share, last_used_at: at }) => (
        <li key={version} className="row ver">
          <span className="mono">{version.slice(0, 8)}</span>
          <span className="cut xs faint">{at && <Past at={at} />}</span>
          <Bar share={share} tone="good" label={`${Math.round(share * 100)} percent completed`} />
          <span className="num sm end">{Math.round(share * 100)} %</span>
          <span className="xs faint end num">{plural(uses, 'task')}</span>
        </li>
      )}
    </Rows>
  </Card>
);
