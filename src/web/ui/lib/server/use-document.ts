import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Overview } from '../../../../contract/documents/state-documents.ts';
import { get, Problem } from './api.ts';
import { useConnection } from './live.ts';

/** Reads a document of the API. It is kept under its key, and read again when the stream reports a change. */
export const useDocument = <Answer>(queryKey: QueryKey, path: string, options: object = {}) =>
  useQuery<Answer>({ queryKey, queryFn: () => get<Answer>(path), ...options });

/** While the document of another key loads, the one before is shown. */
export const KEEP_BEFORE = { placeholderData: keepPreviousData };

/** The overview of the server. The stream keeps it up to date. */
export const useOverview = () => useDocument<Overview>(['overview'], '/overview');

/**
 * An action of the page.
 *
 * @param changed The documents to read again once it is done.
 * @param then What else follows, before that.
 */
export function useAction<Answer, Input = void>(
  mutationFn: (input: Input) => Promise<Answer>,
  changed?: QueryKey,
  then: (answer: Answer, input: Input) => void = () => {},
) {
  const client = useQueryClient();
  const action = useMutation({
    mutationFn,
    onSuccess: (answer, input) => {
      then(answer, input);
      // The action is done; a page that loads slowly must not keep its button busy.
      if (changed) void client.invalidateQueries({ queryKey: changed });
    },
  });
  useForgetOffline(action);
  return action;
}

/** Forgets that an action failed because the server did not answer, once it is connected again. */
export function useForgetOffline({ error, reset }: { error: unknown; reset: () => void }): void {
  const { isConnected } = useConnection();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the connection is back
  useEffect(() => {
    if (isConnected && error instanceof Problem && error.status === 0) reset();
  }, [isConnected]);
}
