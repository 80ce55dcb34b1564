import { useMutation } from '@tanstack/react-query';
import { post } from '../../lib/api.ts';
import type { CapsulePage, CaseResult, CaseResults } from '../../lib/capsule-documents.ts';
import { count, duration, money, plural } from '../../lib/format.ts';
import { visible } from '../../lib/visible.ts';
import { Card } from '../../parts/card.tsx';
import { Mark } from '../../parts/status.tsx';

/** Runs the capsule's cases with the saved overlay and with the draft, and shows the results side by side. */
export function Cases({ capsule, draft }: { capsule: CapsulePage; draft: string }) {
  const run = useMutation({
    mutationFn: () => post<CaseResults>(`/capsules/${capsule.id}/cases`, { overlay: draft }),
  });
  const results = run.data;
  const head = (
    <>
      <span className="xs faint">saved compared with this draft</span>
      <span className="push xs dim num" role="status">
        {run.isPending && 'Running'}
        {results &&
          !run.isPending &&
          `${plural(results.cases.length, 'case')} · ${duration(results.duration_ms)}`}
      </span>
      <button
        type="button"
        className="btn"
        disabled={run.isPending || capsule.cases.length === 0}
        onClick={() => run.mutate()}
      >
        Run all
      </button>
    </>
  );
  return (
    <Card id="cases" title="Cases" className="wide" head={head}>
      {capsule.cases.length === 0 && (
        <p className="body sm dim">No cases yet. Add them in cases.yaml next to the manifest.</p>
      )}
      {run.error && (
        <p className="body sm bad" role="alert">
          {run.error.message}
        </p>
      )}
      {capsule.cases.length > 0 && (
        <table className="cases trials">
          <thead>
            <tr>
              <th scope="col">Case</th>
              <th scope="col">Saved</th>
              <th scope="col">Draft</th>
              <th scope="col" className="end c-tok">
                Tokens
              </th>
              <th scope="col" className="end c-tok">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {results
              ? results.cases.map((one) => <Row key={one.name} {...one} />)
              : capsule.cases.map(({ name }) => (
                  <tr key={name}>
                    <td className="cut">{visible(name)}</td>
                    <td className="faint">not run</td>
                    <td className="faint">not run</td>
                    <td className="c-tok" />
                    <td className="c-tok" />
                  </tr>
                ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Row({ name, saved, draft }: CaseResults['cases'][number]) {
  const change = saved.passes === draft.passes ? '' : draft.passes ? 'better' : 'worse';
  return (
    <tr>
      <td className="cut">{visible(name)}</td>
      <td>
        <Result result={saved} />
      </td>
      <td>
        <Result result={draft} />{' '}
        {change && <span className={`xs ${change === 'better' ? 'good' : 'bad'}`}>{change}</span>}
      </td>
      <td className="num end dim c-tok">
        {count(saved.tokens)} → {count(draft.tokens)}
      </td>
      <td className="num end c-tok">{money(draft.cost_usd)}</td>
    </tr>
  );
}

const Result = ({ result: { passes, problem } }: { result: CaseResult }) => (
  <span className={`chip ${passes ? 'good' : 'bad'}`} title={problem ?? undefined}>
    <Mark status={passes ? 'completed' : 'failed'} isHidden />
    {passes ? 'Passes' : 'Fails'}
  </span>
);
