import { useState } from 'react';
import { Link } from 'wouter';
import type { ReplayDifference, RunPage } from '../../../../contract/documents/run-documents.ts';
import {
  folderName,
  money,
  moneyOf,
  OFFLINE,
  plural,
  shortId,
  visible,
  visibleProse,
} from '../../lib/text/format.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Chip, shownStatus } from '../../parts/status.tsx';
import { At, RunTime } from '../../parts/time.tsx';
import { reasonWord } from '../runs/run-item.tsx';
import { Actions } from './actions.tsx';
import { CompareCard } from './compare/compare-card.tsx';
import { ForkCard } from './compare/fork-card.tsx';
import { ReplayDifferenceCard } from './compare/replay-difference.tsx';

/** Title, state and actions of a run. */
export function Header({ page }: { page: RunPage }) {
  const { run } = page;
  const [open, setOpen] = useState<'fork' | 'compare' | undefined>();
  const [difference, setDifference] = useState<ReplayDifference | null>(null);
  const close = () => setOpen(undefined);
  useKeys({ Escape: open && close });
  return (
    <>
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
          <h1 className="clamped" title={visibleProse(run.task)}>
            {visibleProse(run.task)}
          </h1>
          <div className="meta">
            <Chip status={shownStatus(run)} detail={reasonWord(run)} />
            <RunTime run={run} />
            <span className="num">
              {run.estimated_cost_usd > 0 && 'about '}
              {run.provider === OFFLINE
                ? money(run.cost_usd)
                : moneyOf(run.cost_usd, run.budget_usd)}
            </span>
            <span className="num">
              {run.steps_done} of {plural(run.steps, 'step')}
            </span>
            <span>
              {run.provider === OFFLINE ? 'No model' : visible(run.model ?? run.provider)}
            </span>
            <span title={run.isolation_reason}>Isolation {run.isolation}</span>
            <span>
              started <At at={run.created_at} />
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
        <Actions
          page={page}
          open={open}
          toggle={(card) => setOpen(open === card ? undefined : card)}
          onDifference={setDifference}
        />
      </div>
      {difference && (
        <ReplayDifferenceCard difference={difference} close={() => setDifference(null)} />
      )}
      {open === 'fork' && <ForkCard page={page} close={close} />}
      {open === 'compare' && <CompareCard run={run} close={close} />}
    </>
  );
}
