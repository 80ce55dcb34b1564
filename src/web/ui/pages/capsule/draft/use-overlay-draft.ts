import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CapsulePage } from '../../../../../contract/documents/capsule-documents.ts';
import { path, request } from '../../../lib/server/api.ts';
import { keepDraft, keptDraft } from './kept-draft.ts';
import { draftOf, followSaved, type SavedText, savedIn } from './overlay-draft.ts';

/**
 * The draft of a capsule's overlay, and how to save it. A save elsewhere never replaces a changed draft, and neither
 * leaving the page nor reloading it loses it.
 */
export function useOverlayDraft(capsule: CapsulePage) {
  const client = useQueryClient();
  const saved = savedIn(capsule);
  const [stored, setStored] = useState(() => keptDraft(capsule.id) ?? draftOf(saved));
  const draft = followSaved(stored, saved);
  useEffect(() => keepDraft(capsule.id, draft), [capsule.id, draft]);
  const save = useMutation({
    mutationFn: async (text: string): Promise<SavedText> => {
      const body = { text, version: draft.base.version };
      const to = path`/capsules/${capsule.id}/overlay`;
      const { version } = await request<{ version: string }>(to, { method: 'PUT', body });
      return { text, version };
    },
    onSuccess: (base) => {
      // Text typed during the save is a draft based on the saved text.
      setStored(({ text }) => ({ text, base }));
      client.setQueryData<CapsulePage>(
        ['capsules', capsule.id],
        (page) => page && { ...page, overlay: base.text, overlay_version: base.version },
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['capsules'] }),
  });
  const isBehind = draft.base.version !== saved.version && !save.isPending;
  const isChanged = draft.text !== saved.text;
  const canSave = isChanged && !isBehind && capsule.can_save && !save.isPending;
  return {
    text: draft.text,
    saved: saved.text,
    isChanged,
    /** Whether another text was saved since the draft began. */
    isBehind,
    canSave,
    isJustSaved: save.isSuccess,
    error: isBehind ? null : save.error,
    write(text: string) {
      // The reason may no longer be true.
      if (save.isError) save.reset();
      setStored({ text, base: draft.base });
    },
    save: () => canSave && save.mutate(draft.text),
    keepMine: () => setStored({ text: draft.text, base: saved }),
    takeSaved: () => setStored(draftOf(saved)),
  };
}
