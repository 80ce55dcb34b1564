import type { CapsulePage } from '../../../../contract/documents/capsule-documents.ts';
import { plural } from '../../lib/format.ts';
import { Bar } from '../../parts/bar.tsx';
import { Card } from '../../parts/card.tsx';
import { Ago } from '../../parts/time.tsx';

/** Versions of the overlay with their success rates. */
export const Versions = ({ versions }: { versions: CapsulePage['versions'] }) => (
  <Card id="versions" title="Versions">
    {versions.length === 0 && <p className="body sm dim">Not used yet.</p>}
    <ul className="rows">
      {versions.map(({ version, uses, completed_share: share, last_used_at: at }) => (
        <li key={version} className="row ver">
          <span className="mono">{version.slice(0, 8)}</span>
          <span className="cut xs faint">{at && <Ago at={at} />}</span>
          <Bar share={share} tone="good" label={`${Math.round(share * 100)} percent completed`} />
          <span className="num sm end">{Math.round(share * 100)} %</span>
          <span className="xs faint end num">{plural(uses, 'use')}</span>
        </li>
      ))}
    </ul>
  </Card>
);
