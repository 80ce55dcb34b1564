import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PromptPreview } from '../../../../../contract/documents/capsule-documents.ts';
import { path, post } from '../../../lib/server/api.ts';
import { KEEP_BEFORE } from '../../../lib/server/use-document.ts';
import { Card } from '../../../parts/card.tsx';
import { Layers } from '../../../parts/figures/layers.tsx';
import { Failure, Loading } from '../../../parts/states.tsx';

/** The prompt by layers, with their token counts. */
export function Preview({ preview, savedTokens, error }: ReturnType<typeof usePreview>) {
  const isInvalid = preview?.layers.length === 0;
  const change =
    preview && savedTokens !== undefined && !isInvalid ? preview.tokens - savedTokens : 0;
  const head = preview && !isInvalid && (
    <span className="push xs num dim">
      {preview.tokens.toLocaleString('en')} tokens{' '}
      {change !== 0 && (
        <span className={change > 0 ? 'plus' : 'minus'}>{change > 0 ? `+${change}` : change}</span>
      )}
    </span>
  );
  return (
    <Card title="Prompt" head={head}>
      {error && <Failure error={error} />}
      {!preview && !error && <Loading />}
      {isInvalid && <p className="body sm dim">Fix the errors in the overlay to see the prompt.</p>}
      {preview && <Layers layers={preview.layers} tokens={preview.tokens} />}
    </Card>
  );
}

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
    queryFn: () => post<PromptPreview>(path`/capsules/${id}/prompt`, { overlay }),
    gcTime: 60_000,
  });
  const { data, error } = useQuery({
    ...of(settled),
    ...KEEP_BEFORE,
  });
  const before = useQuery(of(saved)).data;
  return { preview: data, error, savedTokens: before?.tokens };
}
