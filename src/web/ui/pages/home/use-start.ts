import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { Problem, request } from '../../lib/server/api.ts';
import { useForgetOffline } from '../../lib/server/use-document.ts';

/** Sends the body of a new run, and opens its page. */
export function useStart() {
  const [, go] = useLocation();
  const key = useRef(crypto.randomUUID());
  const start = useMutation({
    mutationFn: (body: object) =>
      request<{ run_id: string }>('/runs', {
        ...{ method: 'POST', body },
        headers: { 'idempotency-key': key.current },
      }),
    onSuccess: ({ run_id }) => go(`/runs/${run_id}`),
    // Without a response, the run may have started. The same key prevents a second one.
    onError: (error) => {
      if (!(error instanceof Problem) || error.status !== 0) key.current = crypto.randomUUID();
    },
  });
  useForgetOffline(start);
  return start;
}
