import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PromptPreview } from '../../../../../contract/documents/capsule-documents.ts';
import { post } from '../../../lib/api.ts';
import { KEEP_BEFORE } from '../../../lib/use-document.ts';

const TYPING_MS = 150;

/** The prompt with this draft, updated shortly after the last key. */
export function usePreview(id: string, { draft, saved }: { draft: string; saved: string }) {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), TYPING_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  const of = (overlay: string) => ({
    queryKey: ['preview', id, overlay],
    queryFn: () => post<PromptPreview>(`/capsules/${id}/prompt`, { overlay }),
    gcTime: 60_000,
  });
  const { data, error } = useQuery({
    ...of(settled),
    ...KEEP_BEFORE,
  });
  const before = useQuery(of(saved)).data;
  return { preview: data, error, savedTokens: before?.tokens };
}
