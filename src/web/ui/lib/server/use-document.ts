import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Overview } from '../../../../contract/documents/state-documents.ts';
import { get } from './api.ts';

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
  return useMutation({
    mutationFn,
    onSuccess: (answer, input) => {
      then(answer, input);
      // The action is done; a page that loads slowly must not keep its button busy.
      if (changed) void client.invalidateQueries({ queryKey: changed });
    },
  });
}
