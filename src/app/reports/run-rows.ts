import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import type { RunList, RunRow } from '../../contract/documents/run-documents.ts';
import type { RunStatus } from '../../contract/status.ts';
import { vendorFacts } from '../../contract/vendors.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { IS_TASK } from '../../coordinator/store/runs/run-store.ts';
import { runSummary } from '../runs/show/run-summary.ts';
import { stepCounts } from '../runs/show/step-counts.ts';

export interface RunFilter {
  /** `waiting`: with an open question, whatever its status. */
  readonly statuses?: readonly (RunStatus | 'waiting')[] | undefined;
  /** Absolute. */
  readonly workspace?: string | undefined;
  readonly capsule?: string | undefined;
  readonly minCostUsd?: number | undefined;
  readonly since?: Date | undefined;
  /** Words, each of which is in the task, the answer or the id. */
  readonly text?: string | undefined;
  /** Whether runs that check models or try a capsule are listed, too. Default: false. */
  readonly trials?: boolean | undefined;
  /** Only runs before this id. */
  readonly before?: string | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

/** Newest first, and the id after which the next page begins; null if there is none. */
export function runRows(stores: Stores, filter: RunFilter): RunList {
  const ids = matchingIds(stores, filter);
  const page = ids.slice(0, filter.limit);
  const runs = page.flatMap((id) => stores.runs.find(id) ?? []);
  const next = ids.length > filter.limit ? (page.at(-1) ?? null) : null;
  return { runs: runs.map((run) => runRow(stores, run)), next };
}

function matchingIds({ db }: Stores, filter: RunFilter): readonly string[] {
  const { statuses, workspace, capsule, minCostUsd, since, text, trials, before, limit } = filter;
  return db
    .prepare<[Record<string, string | number | null>], string>(`
      SELECT id FROM runs
      WHERE (@statuses IS NULL OR status IN (SELECT value FROM json_each(@statuses))
          OR 'waiting' IN (SELECT value FROM json_each(@statuses)) AND EXISTS
            (SELECT 1 FROM approvals WHERE run_id = runs.id AND approvals.status = 'pending'))
        AND (@workspace IS NULL OR workspace = @workspace)
        AND (@since IS NULL OR created_at >= @since)
        AND (@before IS NULL OR id < @before)
        AND (@trials OR ${IS_TASK})
        AND NOT EXISTS (SELECT 1 FROM json_each(@words) WHERE NOT (instr(lower(task), value)
          OR instr(lower(coalesce(answer, '')), value) OR instr(runs.id, value)
          OR instr(replace(runs.id, '-', ''), value)))
        AND (@capsule IS NULL OR EXISTS
          (SELECT 1 FROM subtasks WHERE run_id = runs.id AND capsule_id = @capsule))
        AND (@minCost IS NULL OR
          (SELECT coalesce(sum(cost_micro_usd), 0) FROM intents WHERE run_id = runs.id) >= @minCost)
      ORDER BY id DESC LIMIT @limit`)
    .pluck()
    .all({
      statuses: statuses ? JSON.stringify(statuses) : null,
      workspace: workspace ?? null,
      capsule: capsule ?? null,
      minCost: minCostUsd === undefined ? null : Math.round(minCostUsd * 1e6),
      since: since?.toISOString() ?? null,
      words: JSON.stringify(text?.toLowerCase().split(/\s+/).filter(Boolean) ?? []),
      trials: trials ? 1 : 0,
      before: before ?? null,
      limit: limit + 1,
    });
}

export function runRow(stores: Stores, run: RunRecord): RunRow {
  const subtasks = stores.subtasks.of(run.id).filter(({ replacedFor }) => replacedFor === null);
  const open = stores.approvals.listOf(run.id).find(({ status }) => status === 'pending');
  const counts = stepCounts(subtasks);
  const working = subtasks.find(({ status }) => status === 'running');
  return {
    ...withDocumentKeys(runSummary(stores, run)),
    duration_ms: stores.runs.durationOf(run),
    is_free: isFreeRun(stores, run),
    steps_done: counts.done,
    steps: counts.all,
    capsules: [...new Set(subtasks.flatMap(({ capsuleId }) => capsuleId ?? []))],
    line:
      open?.question ??
      run.error?.message ??
      (run.status === 'running' && working
        ? `${working.capsuleId ?? 'Capstan'}: ${working.description}`
        : oneLine(run.answer ?? '')),
  };
}

const LINE_CHARS = 160;

/** The beginning of a Markdown text in one line, without its marks. */
const oneLine = (text: string): string =>
  text
    .slice(0, 10 * LINE_CHARS)
    .split('\n')
    .filter((line) => !/^\s*(```.*|\|[-:|\s]+\|)?\s*$/.test(line))
    .map((line) => plainLine(line.trim()))
    .join(' · ')
    .replaceAll(': · ', ': ')
    .slice(0, LINE_CHARS);

function plainLine(line: string): string {
  if (line.startsWith('|')) return line.split('|').join(' ').replace(/\s+/g, ' ').trim();
  return line.replace(/^(?:[#>]+|[-+*])\s+/, '').replace(/[*`]/g, '');
}

/** Whether no model of a run costs anything. If its provider was not opened, the provider's name decides. */
export function isFreeRun({ eventRows }: Stores, { id, provider }: RunRecord): boolean {
  const limit = eventRows.limitUsd(id);
  if (limit !== undefined) return limit === null;
  return provider === 'offline' || vendorFacts(provider)?.isFree === true;
}
