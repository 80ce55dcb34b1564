import { Link } from 'wouter';
import type { RunList, RunRow } from '../../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../../lib/server/use-document.ts';
import { shortId, visibleProse } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { Pending } from '../../../parts/states.tsx';
import { Ago } from '../../../parts/time.tsx';

const OFFERED = 8;

/** Lists runs to compare with: runs of the same task first, then the newest. */
export function CompareCard({ run, close }: { run: RunRow; close: () => void }) {
  const all = useDocument<RunList>(['runs', 'to-compare'], '/runs?limit=50');
  const others = (all.data?.runs ?? [])
    .filter(({ id }) => id !== run.id)
    .toSorted((a, b) => Number(b.task === run.task) - Number(a.task === run.task))
    .slice(0, OFFERED);
  const head = <Button word="Close" look="quiet push" onClick={close} />;
  return (
    <Card title="Compare with" className="compared" head={head}>
      <Pending of={all} />
      {all.data && others.length === 0 && <p className="body sm dim">There is no other run yet.</p>}
      <ul className="rows">
        {others.map((other) => (
          <li key={other.id}>
            <Link
              className="row pick-row"
              href={`/runs/${run.id}?compare=${other.id}`}
              onClick={close}
            >
              <span className="cut">{visibleProse(other.task)}</span>
              <span className="xs faint mono">{shortId(other.id)}</span>
              <span className="xs faint">
                <Ago at={other.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
