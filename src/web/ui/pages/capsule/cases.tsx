import { useMutation } from '@tanstack/react-query';
import type {
  CapsulePage,
  CaseResult,
  CaseResults,
} from '../../../../contract/documents/capsule-documents.ts';
import { path, post } from '../../lib/server/api.ts';
import { count, duration, money, plural, visible } from '../../lib/text/format.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/figures/table.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Refusal } from '../../parts/states.tsx';
import { Mark } from '../../parts/status.tsx';

/** Runs the capsule's cases with the saved overlay and with the draft, and shows the results side by side. */
export function Cases({ capsule, draft }: { capsule: CapsulePage; draft: string }) {
  const run = useMutation({
    mutationFn: () => post<CaseResults>(path`/capsules/${capsule.id}/cases`, { overlay: draft }),
  });
  const results = run.data;
  const canRun = !run.isPending && capsule.cases.length > 0;
  const start = () => {
    document.getElementById('cases')?.scrollIntoView({ block: 'nearest' });
    if (canRun) run.mutate();
  };
  useKeys({ 'Ctrl Enter': start });
  const head = (
    <>
      <span className="xs faint">saved compared with this draft</span>
      <span className="push xs dim num" role="status">
        {run.isPending && 'Running'}
        {results &&
          !run.isPending &&
          `${plural(results.cases.length, 'case')} · ${duration(results.duration_ms)}`}
      </span>
      <Button word="Run all" hotkey="Ctrl ↵" disabled={!canRun} onClick={start} />
    </>
  );
  return (
    <Card id="cases" title="Cases" className="wide" head={head}>
      {capsule.cases.length === 0 && (
        <p className="body sm dim">
          No cases yet. Add one as cases/first.yaml next to the manifest.
        </p>
      )}
      <Refusal error={run.error} className="body" />
      {capsule.cases.length > 0 && (
        <Table className="trials" columns={columns} rows={results?.cases ?? capsule.cases} />
      )}
      {results?.cases.some(hasOlderAnswers) && (
        <p className="foot">
          Some model answers were recorded under another prompt, so they do not show what this text
          changes. Save it; <code>capstan capsules test {capsule.id} --record</code> in a terminal
          asks the model again.
        </p>
      )}
    </Card>
  );
}

/** Said of a result for which the model answered another prompt. */
export const OLDER = '(older answers)';

type Case = CapsulePage['cases'][number] & Partial<CaseResults['cases'][number]>;

const notRun = <span className="faint">not run</span>;

const columns: readonly Column<Case>[] = [
  ['Case', ({ name }) => visible(name), 'cut'],
  ['Saved', ({ saved }) => (saved ? <Result result={saved} /> : notRun)],
  [
    'Draft',
    ({ saved, draft }) =>
      saved && draft ? (
        <>
          <Result result={draft} />{' '}
          {saved.passes !== draft.passes && (
            <span className={`xs ${draft.passes ? 'good' : 'bad'}`}>
              {draft.passes ? 'better' : 'worse'}
            </span>
          )}
        </>
      ) : (
        notRun
      ),
  ],
  [
    'Tokens',
    ({ saved, draft }) => saved && draft && `${count(saved.tokens)} → ${count(draft.tokens)}`,
    'num end dim c-tok',
  ],
  ['Cost', ({ draft }) => draft && money(draft.cost_usd), 'num end c-tok'],
];

const hasOlderAnswers = ({ saved, draft }: CaseResults['cases'][number]) =>
  saved.reworded + draft.reworded > 0;

function Result({ result: { passes, problem, reworded } }: { result: CaseResult }) {
  const isOlder = reworded > 0;
  const [status, tone, word] = passes
    ? (['completed', 'good', 'Passes'] as const)
    : (['failed', 'bad', 'Fails'] as const);
  return (
    <span className={`chip ${isOlder ? '' : tone}`} title={problem ?? undefined}>
      <Mark status={isOlder ? 'skipped' : status} isHidden />
      {isOlder ? `${word} ${OLDER}` : word}
    </span>
  );
}
