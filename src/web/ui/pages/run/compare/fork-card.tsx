import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { visible } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { Mark } from '../../../parts/status.tsx';
import { ForkHere } from './fork-here.tsx';

/** Lists the steps after which the run can be forked. */
export function ForkCard({ page, close }: { page: RunPage; close: () => void }) {
  const points = forkPoints(page);
  const head = <Button word="Close" look="quiet push" onClick={close} />;
  return (
    <Card title="Fork after a step" className="compared" head={head}>
      <p className="body sm dim">
        {points.length === 0
          ? 'No step has completed a request yet, so there is nothing to fork from.'
          : 'The fork keeps every request up to the last one of the step. It starts parked. To begin at another request, open it under Requests.'}
      </p>
      <ul className="rows">
        {points.map(({ step, at }) => (
          <li key={step.id} className="row fork-row">
            <Mark status={step.status} />
            <span className="cut" title={visible(step.description)}>
              {visible(step.description)}
            </span>
            <span className="xs faint">
              {step.id} · request {at}
            </span>
            <ForkHere runId={page.run.id} at={at} label={`Fork here, after ${step.id}`} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The steps after which the run can be forked, oldest first, each with the number of its last completed request. */
const forkPoints = ({ steps, requests }: Pick<RunPage, 'steps' | 'requests'>) =>
  steps
    .flatMap((step) => {
      const last = requests.findLast(
        ({ subtask_id: of, ended_at: at }) => of === step.id && at !== null,
      );
      return last ? [{ step, at: last.number }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
