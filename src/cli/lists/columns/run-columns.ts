import type { RunSummary } from '../../../app/runs/show/run-summary.ts';
import { formatCost, formatTokens } from '../../text/format.ts';
import { folderText } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import { ageText, oneLine } from '../cell-text.ts';
import { paintState, stateSymbol, stateWords } from '../run-state.ts';
import { type ListColumn, type ListFrame, workspaceColumn } from './list-column.ts';

/** The columns of a list of runs. `hasFolder`: runs of several folders. */
export const runColumns = (hasFolder: boolean): readonly ListColumn<RunSummary>[] => [
  {
    name: 'run',
    value: ({ id }) => shortId(id),
    cell: (run, frame) => `${stateSymbol(run, frame)} ${shortId(run.id)}`,
    paint: paintState,
  },
  { name: 'began', value: ({ createdAt }) => createdAt },
  { name: 'status', value: ({ status }) => status },
  { name: 'reason', value: ({ reason }) => reason ?? '' },
  { name: 'age', cell: ({ createdAt }, { now }) => ageText(createdAt, now), drop: 2 },
  {
    name: 'cost',
    value: ({ costUsd }) => formatCost(costUsd),
    cell: ({ costUsd, tokens }) =>
      costUsd === 0 && tokens > 0 ? formatTokens(tokens) : formatCost(costUsd),
    isNumber: true,
    drop: 1,
  },
  workspaceColumn(hasFolder),
  {
    name: 'task',
    value: ({ task }) => oneLine(task),
    cell: 'value',
    cut: 'text',
    tail: stateWords,
  },
];

const WEEK_MS = 7 * 86_400_000;

/** `Runs in ~/shop · 41 · $0.92 this week`: the last 7 days. @param folder Undefined: all folders. */
export function runTitle(
  runs: readonly RunSummary[],
  folder: string | undefined,
  { now, symbols, home }: Pick<ListFrame, 'now' | 'symbols' | 'home'>,
): string {
  const since = now.getTime() - WEEK_MS;
  const week = runs.filter(({ createdAt }) => Date.parse(createdAt) >= since);
  const cost = week.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const where = folder === undefined ? 'all folders' : folderText(folder, home);
  const spent = cost > 0 ? [`${formatCost(cost)} this week`] : [];
  return [`Runs in ${where}`, String(runs.length), ...spent].join(symbols.separator);
}
