import { memo } from 'react';
import { Link } from 'wouter';
import type { RunRow } from '../../../../contract/documents/run-documents.ts';
import { costOf, inLine, shortId, visible, visibleProse } from '../../lib/text/format.ts';
import { Chip, shownStatus } from '../../parts/status.tsx';
import { Past, RunTime } from '../../parts/time.tsx';

interface RunItemProps {
  readonly run: RunRow;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
}

/** Reasons in words. */
const reasons: Readonly<Record<string, string>> = {
  approval: 'question',
  interrupted: 'stopped',
  subtask_failed: 'a step failed',
  dependency_failed: 'a step failed',
  plan_invalid: 'no plan',
};

/** The reason for the status of a run in words; null if the status says it already. */
export function reasonWord({ reason, is_dry_run: isPlan }: RunRow): string | null {
  if (reason === null || reason === 'cancelled') return isPlan ? 'plan only' : null;
  return reasons[reason] ?? reason.replaceAll('_', ' ');
}

/** One run in the list. */
export const RunItem = memo(({ run, isCurrent, isSelected }: RunItemProps) => (
  <Link
    className={`row rn ${isSelected ? 'picked' : ''}`}
    href={`/runs/${run.id}`}
    aria-current={isCurrent ? 'true' : undefined}
  >
    <span className="c-st">
      <Chip status={shownStatus(run)} detail={reasonWord(run)} />
    </span>
    <span className="c-task">
      <span className="cut what">{visibleProse(run.task)}</span>
      <span className="xs faint cut">
        {isSelected && <strong className="run">Selected to compare · </strong>}
        {inLine(visible(run.line), shortId(run.id))}
      </span>
    </span>
    <span className="c-cap dim cut">{run.capsules.join(', ')}</span>
    <span className="c-steps num dim">
      {run.steps_done} of {run.steps}
    </span>
    <span className="num end">{costOf(run)}</span>
    <span className="c-dur num end dim">
      <RunTime run={run} />
    </span>
    <span className="end faint">
      <Past at={run.created_at} />
    </span>
  </Link>
));
