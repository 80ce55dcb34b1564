import type { Receipt, RunPage } from '../../../../../contract/documents/run-documents.ts';
import { Card } from '../../../parts/card.tsx';
import { Bar } from '../../../parts/figures/bar.tsx';
import { Rows } from '../../../parts/figures/rows.tsx';
import { usePart } from '../use-part.ts';

const SHOWN = 4;

/** Shows which capsules were considered for each step, and how one was chosen. */
export function Routing({ page }: { page: RunPage }) {
  const { data } = usePart<{ receipts: readonly Receipt[] }>(page, 'routing');
  const receipts = data?.receipts ?? [];
  return (
    <Card id="routing" title="Routing">
      <Rows of={receipts} empty="No step was routed yet.">
        {(receipt) => (
          <li key={receipt.subtask_id} className="row receipt">
            <span className="num faint xs">{receipt.subtask_id}</span>
            <span>
              <strong>{receipt.chosen ?? 'no match'}</strong>{' '}
              <span className="xs faint">{receipt.decided_by}</span>
              <ol className="scores">
                {receipt.candidates.slice(0, SHOWN).map(({ capsule_id: id, score, note }) => (
                  <li key={id} className="xs">
                    <span className="cut">{id}</span>
                    <Bar share={score} tone={id === receipt.chosen ? 'run' : 'ink'} />
                    <span className="num">{score.toFixed(2)}</span>
                    {note && <span className="faint">{note}</span>}
                  </li>
                ))}
              </ol>
            </span>
          </li>
        )}
      </Rows>
    </Card>
  );
}
