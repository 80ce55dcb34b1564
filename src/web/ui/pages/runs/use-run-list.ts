import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunList } from '../../../../contract/documents/run-documents.ts';
import { get } from '../../lib/server/api.ts';
import { query } from '../../lib/text/format.ts';
import type { RunFilters } from './filters.tsx';
import { withNewest } from './with-newest.ts';

const PAGE = 100;

/** Loads runs page by page. A change refetches only the newest page, however many pages are loaded. */
export function useRunList(filters: RunFilters) {
  const client = useQueryClient();
  const page = (after: string) => get<RunList>(`/runs${query({ ...filters, limit: PAGE, after })}`);
  const newestOptions = { queryKey: ['runs', 'newest', filters], queryFn: () => page('') };
  const key = ['run list', filters];
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      pageParam === '' ? client.fetchQuery(newestOptions) : page(pageParam),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const isLoaded = list.data !== undefined && !list.isPlaceholderData;
  const newest = useQuery({ ...newestOptions, enabled: isLoaded }).data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key and `newest` depend on the filters alone
  useEffect(() => {
    if (newest && isLoaded)
      client.setQueryData<InfiniteData<RunList>>(key, (data) => data && withNewest(data, newest));
  }, [client, newest, isLoaded]);
  return list;
}
