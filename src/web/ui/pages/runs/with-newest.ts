import type { InfiniteData } from '@tanstack/react-query';
import type { RunList, RunRow } from '../../../../contract/documents/run-documents.ts';

/** Replaces the newest runs of the loaded pages by the newest page. */
export function withNewest(data: InfiniteData<RunList>, newest: RunList): InfiniteData<RunList> {
  const oldest = newest.runs.at(-1)?.id;
  if (newest.next === null || oldest === undefined)
    return { pages: [newest], pageParams: data.pageParams.slice(0, 1) };
  const isOlder = ({ id }: RunRow) => id < oldest;
  const [first, ...others] = data.pages.map((one) => ({
    ...one,
    runs: one.runs.filter(isOlder),
  }));
  const next = first && first.runs.length + others.length > 0 ? first.next : newest.next;
  const top = { runs: [...newest.runs, ...(first?.runs ?? [])], next };
  return { ...data, pages: [top, ...others] };
}
