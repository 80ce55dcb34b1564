import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { request } from '../../lib/api.ts';
import type { CapsulePage } from '../../lib/capsule-documents.ts';
import { Card } from '../../parts/card.tsx';
import { Diff } from '../../parts/diff.tsx';
import { Icon } from '../../parts/icon.tsx';
import { toast } from '../../shell/toast.tsx';
import { Cases } from './cases.tsx';
import { Editor } from './editor.tsx';
import { Preview } from './preview.tsx';
import { usePreview } from './use-preview.ts';

/** The overlay that is being written, beside what the model would be told, and its cases. */
export function Workbench({ capsule }: { capsule: CapsulePage }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(capsule.overlay);
  const [isDifference, setDifference] = useState(false);
  const preview = usePreview(capsule.id, draft);
  const save = useMutation({
    mutationFn: () =>
      request('PUT', `/capsules/${capsule.id}/overlay`, {
        text: draft,
        version: capsule.overlay_version,
      }),
    onSuccess: () => {
      toast('The overlay is saved. Runs that start now use it.');
      void client.invalidateQueries({ queryKey: ['capsules'] });
    },
  });
  const isChanged = draft !== capsule.overlay;
  useLeaveWarning(isChanged);
  const findings = preview.data?.findings ?? [];
  const trySave = () => {
    if (isChanged && capsule.can_save && !save.isPending) save.mutate();
  };
  const head = (
    <>
      {isChanged && <span className="chip">not saved</span>}
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <span className="push seg" role="group" aria-label="Shown as">
        <button type="button" aria-pressed={!isDifference} onClick={() => setDifference(false)}>
          Write
        </button>
        <button type="button" aria-pressed={isDifference} onClick={() => setDifference(true)}>
          Difference
        </button>
      </span>
      <button
        type="button"
        className="btn"
        disabled={!isChanged}
        onClick={() => setDraft(capsule.overlay)}
      >
        Discard
      </button>
      <button
        type="button"
        className="btn main"
        disabled={!isChanged || !capsule.can_save || save.isPending}
        onClick={trySave}
      >
        Save <kbd>Ctrl S</kbd>
      </button>
    </>
  );
  return (
    <>
      <Card id="overlay" title="skill.md" head={head}>
        {isDifference ? (
          <Diff before={capsule.overlay} after={draft} label="Difference of the overlay" />
        ) : (
          <Editor
            text={draft}
            saved={capsule.overlay}
            findings={findings}
            set={setDraft}
            save={trySave}
          />
        )}
        {findings.map(({ line, message }) => (
          <div key={`${line} ${message}`} className="foot lintbox">
            <Icon name="ask" className="mark wait" />
            <span>
              {line !== null && <strong>Line {line}</strong>} {message}
            </span>
          </div>
        ))}
        {save.error && (
          <p className="foot bad" role="alert">
            {save.error.message}
          </p>
        )}
        {!capsule.can_save && (
          <p className="foot">This capsule belongs to a project: edit its file there.</p>
        )}
      </Card>
      <Preview preview={preview.data} savedTokens={preview.savedTokens} error={preview.error} />
      <Cases capsule={capsule} draft={draft} />
    </>
  );
}

/** The browser asks before a page with an unsaved draft is left. */
function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}
