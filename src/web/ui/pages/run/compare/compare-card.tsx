import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { get } from '../../../lib/api.ts';
import type { RunRow } from '../../../lib/api-documents.ts';
import { shortId } from '../../../lib/format.ts';
import { visible } from '../../../lib/visible.ts';
import { Card } from '../../../parts/card.tsx';
import { Failure, Loading } from '../../../parts/states.tsx';
import { Ago } from '../../../parts/time.tsx';

const OFFERED = 8;

/** Lists runs to compare with: runs of the same task first, then the newest. */
export function CompareCard({ run, close }: { run: RunRow; close: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['runs', 'to-compare'],
    queryFn: () => get<{ runs: readonly RunRow[] }>('/runs?limit=50'),
  });
  const others = (data?.runs ?? [])
    .filter(({ id }) => id !== run.id)
    .toSorted((a, b) => Number(b.task === run.task) - Number(a.task === run.task))
    .slice(0, OFFERED);
  const head = (
    <button type="button" className="btn quiet push" onClick={close}>
      Close
    </button>
  );
  return (
    <Card title="Compare with" className="compared" head={head}>
      {error && <Failure error={error} />}
      {!data && !error && <Loading />}
      {data && others.length === 0 && <p className="body sm dim">There is no other run yet.</p>}
      <ul className="rows">
        {others.map((other) => (
          <li key={other.id}>
            <Link
              className="row pick-row"
              href={`/runs/${run.id}?compare=${other.id}`}
              onClick={close}
            >
              <span className="cut">{visible(other.task)}</span>
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
