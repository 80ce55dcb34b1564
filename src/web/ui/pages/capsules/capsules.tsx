import { useState } from 'react';
import { Link } from 'wouter';
import type {
  BrokenCapsule,
  CapsuleRow,
} from '../../../../contract/documents/capsule-documents.ts';
import { path } from '../../lib/server/api.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import { duration, money, plural, visible } from '../../lib/text/format.ts';
import { Sparkline } from '../../parts/figures/sparkline.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Pending } from '../../parts/states.tsx';
import { Mark } from '../../parts/status.tsx';
import { Top } from '../../parts/top.tsx';
import { CreateCapsule } from './create-capsule.tsx';
import { ImportCapsule } from './import-capsule.tsx';

interface CapsuleList {
  readonly capsules: readonly CapsuleRow[];
  readonly broken: readonly BrokenCapsule[];
}

/** Lists every capsule with its figures. */
export default function Capsules() {
  const [open, setOpen] = useState<'create' | 'import' | undefined>();
  const all = useDocument<CapsuleList>(['capsules'], '/capsules');
  const { data } = all;
  const number = data ? plural(data.capsules.length, 'capsule') : '';
  return (
    <>
      <Top
        title="Capsules"
        meta={<span>{`${number} · each must ask for everything it does`}</span>}
      >
        <Button word="Import" onClick={() => setOpen('import')} />
        <Button word="New capsule" look="main" onClick={() => setOpen('create')} />
      </Top>
      {open === 'create' && <CreateCapsule close={() => setOpen(undefined)} />}
      {open === 'import' && <ImportCapsule close={() => setOpen(undefined)} />}
      <Pending of={all} rows={6} />
      {data && (
        <section className="card" aria-label="All capsules">
          <div className="cols cap-cols xs faint" aria-hidden="true">
            <span />
            <span>Capsule</span>
            <span className="c-or">Origin</span>
            <span className="spark-box">Last uses</span>
            <span className="end">Taken</span>
            <span className="end">Completed</span>
            <span className="end c-med">Median</span>
            <span className="end c-usd">Cost per use</span>
          </div>
          <ul className="rows">
            {data.broken.map((one) => (
              <BrokenRow key={one.id} capsule={one} />
            ))}
            {data.capsules.map((one) => (
              <Row key={one.id} capsule={one} />
            ))}
          </ul>
          <p className="body xs faint">Tasks that a capsule declined are not counted.</p>
        </section>
      )}
    </>
  );
}

const BrokenRow = ({ capsule: { id, problem } }: { capsule: BrokenCapsule }) => (
  <li>
    <Link className="row cap" href={path`/capsules/${id}`}>
      <Mark status="failed" isHidden />
      <span className="what cut">{visible(id)}</span>
      <span className="xs sub bad why-not">Can't be used: {visible(problem)}</span>
    </Link>
  </li>
);

const origins: Readonly<Record<string, string>> = {
  shipped: 'ships with Capstan',
  personal: 'yours',
  project: 'from the project',
};

function Row({ capsule }: { capsule: CapsuleRow }) {
  const { id, name, description, quarantine, uses, completed_share: share } = capsule;
  return (
    <li>
      <Link className="row cap" href={path`/capsules/${id}`}>
        <Mark status={quarantine === null ? 'completed' : 'failed'} isHidden />
        <span className="what cut">
          {visible(name)} <span className="tag">{id}</span>
        </span>
        <span className={`xs cut sub ${quarantine === null ? 'faint' : 'bad'}`}>
          {quarantine === null ? visible(description) : `In quarantine: ${visible(quarantine)}`}
        </span>
        <span className="xs faint c-or">
          {origins[capsule.origin] ?? capsule.origin}
          {capsule.is_edited && ', edited'}
        </span>
        <span className="spark-box">
          {capsule.last_ms.length > 1 && (
            <Sparkline
              values={capsule.last_ms}
              label={`Duration of the last ${capsule.last_ms.length} uses`}
            />
          )}
        </span>
        <span className="num sm end" title={`${plural(uses, 'task')} taken on`}>
          {uses}
        </span>
        <span className="num sm end">{share === null ? '–' : `${Math.round(share * 100)} %`}</span>
        <span className="num sm end dim c-med">
          {capsule.median_ms === null ? '–' : duration(capsule.median_ms)}
        </span>
        <span className="num sm end dim c-usd">
          {capsule.cost_usd === null ? '–' : money(capsule.cost_usd)}
        </span>
      </Link>
    </li>
  );
}
