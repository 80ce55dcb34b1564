import type { RunRow } from '../../../../contract/documents/run-documents.ts';

/** A line of the list: a session with several runs, or one run. */
export type ListItem =
  | {
      readonly kind: 'session';
      readonly key: string;
      /** Its oldest loaded run. */
      readonly first: RunRow;
      readonly runs: number;
      readonly cost_usd: number;
      /** Whether each of its loaded runs is free. */
      readonly is_free: boolean;
    }
  | { readonly kind: 'run'; readonly key: string; readonly run: RunRow };

/** Returns the lines of the list. Consecutive runs of one session are grouped below a heading. */
export function listItems(runs: readonly RunRow[]): ListItem[] {
  const groups: RunRow[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last?.[0]?.session_id === run.session_id) last.push(run);
    else groups.push([run]);
  }
  return groups.flatMap((group) => [
    ...headingOf(group),
    ...group.map((run): ListItem => ({ kind: 'run', key: run.id, run })),
  ]);
}

function headingOf(group: readonly RunRow[]): ListItem[] {
  const first = group.at(-1);
  if (!first || group.length === 1) return [];
  const cost_usd = group.reduce((sum, run) => sum + run.cost_usd, 0);
  const is_free = group.every((run) => run.is_free);
  const key = `above ${group[0]?.id}`;
  return [{ kind: 'session', key, first, runs: group.length, cost_usd, is_free }];
}
