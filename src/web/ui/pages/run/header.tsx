import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { post } from '../../lib/api.ts';
import type { RunPage } from '../../lib/api-documents.ts';
import { download } from '../../lib/download.ts';
import { folderName, money, shortId } from '../../lib/format.ts';
import { visible } from '../../lib/visible.ts';
import { Chip } from '../../parts/status.tsx';
import { At, Elapsed } from '../../parts/time.tsx';
import { reasonWord } from '../runs/run-item.tsx';

/** Title, state and what can be done with the run. */
export function Header({ page }: { page: RunPage }) {
  const { run } = page;
  const budget = run.budget_usd === null ? '' : ` of $${run.budget_usd.toFixed(2)}`;
  return (
    <div className="top">
      <div>
        <p className="crumb">
          <Link href="/runs">Runs</Link>
          <span>/</span>
          <span>{folderName(run.workspace)}</span>
          <span>/</span>
          <button
            type="button"
            className="mono copy"
            title={`Copy ${run.id}`}
            onClick={() => void navigator.clipboard.writeText(run.id)}
          >
            {shortId(run.id)}
          </button>
        </p>
        <h1>{visible(run.task)}</h1>
        <div className="meta">
          <Chip status={run.status} detail={reasonWord(run.reason)} />
          <Elapsed from={run.created_at} to={run.ended_at} />
          <span className="num">
            {money(run.cost_usd)}
            {budget}
          </span>
          <span className="num">
            {run.steps_done} of {run.steps} steps
          </span>
          <span>
            {run.provider}
            {run.model ? ` · ${run.model}` : ''}
          </span>
          <span title={run.isolation_reason}>Isolation {run.isolation}</span>
          <span>
            began <At at={run.created_at} />
          </span>
          {run.forked_from && (
            <span>
              forked from{' '}
              <Link className="link" href={`/runs/${run.forked_from}`}>
                {shortId(run.forked_from)}
              </Link>
            </span>
          )}
        </div>
      </div>
      <Actions page={page} />
    </div>
  );
}

interface Replayed {
  readonly is_identical: boolean;
  readonly first_difference: string | null;
}

function Actions({ page: { run } }: { page: RunPage }) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [said, setSaid] = useState('');
  const [isSure, setSure] = useState(false);
  const act = useMutation({
    mutationFn: (action: string) => post<Record<string, unknown>>(`/runs/${run.id}/${action}`),
    onSuccess: (result, action) => {
      void client.invalidateQueries({ queryKey: ['run', run.id] });
      setSaid(action === 'replay' ? replayWords(result as unknown as Replayed) : '');
      if (action === 'fork') go(`/runs/${String(result['run_id'])}`);
    },
    onError: (error) => setSaid(error.message),
  });
  const isRunning = run.status === 'running' || run.status === 'pending';
  const isOpen = isRunning || run.status === 'parked';
  const cancel = () => (isSure ? act.mutate('cancel') : setSure(true));
  return (
    <div>
      <div className="actions">
        {isRunning && (
          <Button
            word="Stop"
            title="Parks the run; Resume continues it"
            run={() => act.mutate('stop')}
          />
        )}
        {(run.status === 'parked' || run.status === 'failed') && (
          <Button
            word="Resume"
            title="Completed steps keep their results"
            run={() => act.mutate('resume')}
          />
        )}
        {isOpen && (
          <Button
            word={isSure ? 'Cancel for good' : 'Cancel run'}
            title="Ends it for good"
            run={cancel}
          />
        )}
        {!isRunning && (
          <Button word="Replay" title="No model, no cost" run={() => act.mutate('replay')} />
        )}
        <Button
          word="Export"
          title="One file, for a replay elsewhere"
          run={() => void download(`/runs/${run.id}/export`, `run-${shortId(run.id)}.json`)}
        />
      </div>
      <p className="sm dim end" role="status">
        {act.isPending ? 'Sending' : said}
      </p>
    </div>
  );
}

const replayWords = ({ is_identical, first_difference }: Replayed) =>
  is_identical ? 'The replay is identical.' : `The replay differs: ${first_difference}`;

const Button = ({ word, title, run }: { word: string; title: string; run: () => void }) => (
  <button type="button" className="btn" title={title} onClick={run}>
    {word}
  </button>
);
