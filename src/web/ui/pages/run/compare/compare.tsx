import { Link } from 'wouter';
import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../../lib/server/use-document.ts';
import { costOf, duration, shortId, visibleProse } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Diff } from '../../../parts/text/diff.tsx';

const took = ({ run }: RunPage) => (run.ended_at ? duration(run.duration_ms) : 'not ended');

const planText = ({ steps }: RunPage) =>
  steps
    .map(({ id, description, capsule_id: who }) => `${id} ${who ?? ''}: ${description}`)
    .join('\n');

/** Compares this run with another: figures, plans and answers. */
export function Compare({ page, other }: { page: RunPage; other: string }) {
  const { data } = useDocument<RunPage>(['run', other], `/runs/${other}`);
  if (!data) return null;
  const rows: [string, string, string][] = [
    ['Status', page.run.status, data.run.status],
    ['Cost', costOf(page.run), costOf(data.run)],
    ['Took', took(page), took(data)],
    ['Requests', String(page.requests.length), String(data.requests.length)],
  ];
  const close = (
    <Link className="link sm push" href={`/runs/${page.run.id}`}>
      Close
    </Link>
  );
  return (
    <Card title="Compared" className="compared" head={close}>
      <table className="cases">
        <thead>
          <tr>
            <td />
            <th scope="col">{shortId(page.run.id)}, this run</th>
            <th scope="col">
              <Link className="link" href={`/runs/${other}`}>
                {shortId(other)}
              </Link>
              , {visibleProse(data.run.task)}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, mine, theirs]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3 className="pad">Plans, from the other to this one</h3>
      <Differences before={planText(data)} after={planText(page)} what="plans" />
      <h3 className="pad">Answers</h3>
      <Differences before={data.answer ?? ''} after={page.answer ?? ''} what="answers" />
    </Card>
  );
}

const Differences = ({ what, ...texts }: { before: string; after: string; what: string }) =>
  texts.before === texts.after ? (
    <p className="body sm dim">The {what} are equal.</p>
  ) : (
    <Diff {...texts} label={`Difference of the ${what}`} />
  );
