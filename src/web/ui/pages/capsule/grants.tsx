import type { CapsulePage } from '../../../../contract/documents/capsule-documents.ts';
import { Card } from '../../parts/card.tsx';

const tiers = ['reading', 'writing', 'executing', 'spending'];

/** The grants of a capsule, and its trust per tier. */
export const Grants = ({ capsule }: { capsule: CapsulePage }) => (
  <Card id="grants" title="Grants and trust">
    <dl className="kv body">
      {capsule.trust.map(({ tier, level }) => (
        <div key={tier} className="pair">
          <dt>{tiers[tier]}</dt>
          <dd>{level}</dd>
        </div>
      ))}
      <div className="pair">
        <dt>Skills</dt>
        <dd>{capsule.skills.join(', ') || 'none'}</dd>
      </div>
    </dl>
    <pre className="code" tabIndex={0}>
      {JSON.stringify(capsule.grants, null, 2)}
    </pre>
  </Card>
);
