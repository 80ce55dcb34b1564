import {
  type CostGroup,
  type CostRow,
  costGroups,
  readCosts,
} from '../../broker/money/cost-report.ts';
import { closest } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import { usage } from '../../contract/usage.ts';
import type { AppContext } from '../context/open-context.ts';
import { findRun } from '../runs/find-run.ts';
import { totalOf } from './cost-rows.ts';

export type { CostGroup, CostRow };

export interface CostRequest {
  /** `run`, `subtask`, `capsule`, `model`, `tool` or `day`. Default: `run`. */
  readonly by?: string | undefined;
  /** One run only, by its id or the beginning of it. Default: every run. */
  readonly run?: string | undefined;
  /** Calls that started at this time or later. Default: all recorded calls. */
  readonly since?: Date | undefined;
}

export interface CostReport {
  readonly by: CostGroup;
  readonly runId: string | null;
  readonly rows: readonly CostRow[];
  readonly total: CostRow;
}

/** Sums the calls of the journal. */
export async function reportCosts(
  context: AppContext,
  { by: group = 'run', run, since }: CostRequest = {},
): Promise<CostReport> {
  const { db } = await context.stores();
  const by = groupOf(group);
  const runId = run ? (await findRun(context, run)).id : undefined;
  const rows = readCosts(db, { by, runId, since });
  return { by, runId: runId ?? null, rows, total: totalOf(rows) };
}

function groupOf(given: string): CostGroup {
  const found = costGroups.find((group) => group === given);
  if (found) return found;
  const meant = closest(given, costGroups);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  const problem = `by is "${printable(given, 40)}"; it must be one of ${costGroups.join(', ')}.${hint}`;
  throw usage(problem);
}
