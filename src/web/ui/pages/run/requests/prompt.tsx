import { useState } from 'react';
import type {
  RunPage,
  Step,
  StepPrompt as StepPromptDocument,
} from '../../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../../lib/server/use-document.ts';
import { visible } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Layers } from '../../../parts/figures/layers.tsx';
import { Rows } from '../../../parts/figures/rows.tsx';
import { Pending } from '../../../parts/states.tsx';

/** Shows the prompt of each step, layer by layer. */
export function Prompt({ page: { run, steps, requests } }: { page: RunPage }) {
  const asked = steps.filter(({ id }) =>
    requests.some(({ subtask_id, kind }) => subtask_id === id && kind === 'chat'),
  );
  return (
    <Card id="prompt" title="Prompt">
      <Rows of={asked} empty="No step has called a model.">
        {(step) => <StepPrompt key={step.id} runId={run.id} step={step} />}
      </Rows>
    </Card>
  );
}

function StepPrompt({ runId, step }: { runId: string; step: Step }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="row">
          <span className="num faint xs">{step.id}</span>
          <span className="cut">
            {step.capsule_id} · {visible(step.description)}
          </span>
        </summary>
        {isOpen && <PromptLayers runId={runId} step={step.id} />}
      </details>
    </li>
  );
}

function PromptLayers({ runId, step }: { runId: string; step: string }) {
  const prompt = useDocument<StepPromptDocument>(
    ['run', runId, 'prompt', step],
    `/runs/${runId}/steps/${step}/prompt`,
  );
  const { data } = prompt;
  if (!data) return <Pending of={prompt} rows={2} />;
  return (
    <>
      <p className="body xs dim">
        {data.tokens.toLocaleString('en')} tokens before the first answer, estimated.
        {!data.is_as_asked &&
          ' The capsule has changed since then: these layers show its current prompt. Requests shows the messages that were sent.'}
      </p>
      <Layers layers={data.layers} tokens={data.tokens} />
    </>
  );
}
