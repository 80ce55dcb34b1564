import { Suspense } from 'react';
import type { Step } from '../../../../../contract/documents/run-documents.ts';
import { plural, visible } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { later } from '../../../parts/later.tsx';
import { Mark } from '../../../parts/status.tsx';

const Graph = later(() => import('./graph.tsx'));

/** The steps and their dependencies, as a graph and as a list. */
export function Plan({ steps }: { steps: readonly Step[] }) {
  const open = steps.filter(({ status }) => status === 'running' || status === 'waiting_approval');
  const phases = new Set(steps.map(({ phase }) => phase)).size;
  return (
    <Card
      id="plan"
      title="Plan"
      head={
        steps.length > 0 && (
          <>
            <span className="xs faint">
              {plural(phases, 'phase')}
              {steps.length > 1 ? ' · thick line: critical path' : ''}
            </span>
            <span className="push xs dim">
              {open.length > 0 ? `${open.length} running or waiting` : plural(steps.length, 'step')}
            </span>
          </>
        )
      }
    >
      <div className="gbox">
        {steps.length === 0 && <p className="sm dim">No plan yet.</p>}
        {steps.length > 0 && (
          <Suspense fallback={<div className="graph-space" />}>
            <Graph steps={steps} />
          </Suspense>
        )}
        <ol className={steps.length > 60 ? 'plist shown' : 'plist'}>
          {steps.map((step) => (
            <li key={step.id} id={step.id}>
              <Mark status={step.status} />
              <span className="cut">{visible(step.description)}</span>
              <span className="xs faint">
                {step.id} · {step.capsule_id ?? 'not yet routed'}
                {step.depends_on.length > 0 ? `, after ${step.depends_on.join(', ')}` : ''}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}
