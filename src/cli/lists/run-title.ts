import type { RunSummary } from '../../app/runs/show/run-summary.ts';
import { formatCost } from '../format.ts';
import type { ListFrame } from './columns/list-column.ts';
import { folderText } from './one-line.ts';

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
  const where =
    folder === undefined ? 'Runs in all folders' : `Runs in ${folderText(folder, home)}`;
  return [where, String(runs.length), `${formatCost(cost)} this week`].join(symbols.separator);
}
