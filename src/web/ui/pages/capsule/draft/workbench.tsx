import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type {
  CapsulePage,
  PromptPreview,
} from '../../../../../contract/documents/capsule-documents.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { Card } from '../../../parts/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { Seg } from '../../../parts/input/seg.tsx';
import { Mark } from '../../../parts/status.tsx';
import { Diff } from '../../../parts/text/diff.tsx';
import { Cases } from '../cases.tsx';
import { PastTasks } from '../past-tasks.tsx';
import { Editor } from './editor.tsx';
import { Preview, usePreview } from './preview.tsx';
import { useOverlayDraft } from './use-overlay-draft.ts';

const views = [
  [false, 'Write'],
  [true, 'Difference'],
] as const;

/** The draft of an overlay beside the resulting prompt, and its cases. */
export function Workbench({ capsule }: { capsule: CapsulePage }) {
  const overlay = useOverlayDraft(capsule);
  const { text, saved, isChanged } = overlay;
  const [isDifference, setDifference] = useState(false);
  const preview = usePreview(capsule.id, { draft: text, saved });
  useLeaveWarning(isChanged);
  useKeys({ 'Ctrl s': overlay.save });
  /** Only the shown field has a history to undo a change of the whole text. */
  const inField = (change: () => void) => () => {
    flushSync(() => setDifference(false));
    change();
  };
  const shipped = capsule.shipped_overlay?.replace(/\r\n?/g, '\n') ?? text;
  const findings = preview.preview?.findings ?? [];
  const head = (
    <>
      <span className="chip" role="status">
        {isChanged ? 'not saved' : overlay.isJustSaved ? 'saved: new runs use it' : 'saved'}
      </span>
      <Seg
        className="push"
        label="Shown as"
        value={isDifference}
        set={setDifference}
        choices={views}
      />
      {shipped !== text && (
        <Button
          word="Use the shipped text"
          look="quiet"
          onClick={inField(() => overlay.write(shipped))}
        />
      )}
      <Button word="Discard" disabled={!isChanged} onClick={inField(overlay.takeSaved)} />
      <Button
        word="Save"
        look="main"
        hotkey="Ctrl S"
        disabled={!overlay.canSave}
        onClick={overlay.save}
      />
    </>
  );
  return (
    <>
      <Card id="overlay" className="writing" title="skill.md" head={head}>
        {isDifference ? (
          <Diff before={saved} after={text} label="Difference of the overlay" />
        ) : (
          <Editor text={text} saved={saved} findings={findings} set={overlay.write} />
        )}
        <Notes capsule={capsule} findings={findings} overlay={overlay} />
      </Card>
      <Preview {...preview} />
      <Cases capsule={capsule} draft={text} />
      <PastTasks capsule={capsule} draft={text} isChanged={isChanged} />
    </>
  );
}

interface NotesProps {
  readonly capsule: CapsulePage;
  readonly findings: PromptPreview['findings'];
  readonly overlay: ReturnType<typeof useOverlayDraft>;
}

/** Findings about the draft and the reason why it was not saved. Always visible below a long text. */
const Notes = ({ capsule, findings, overlay }: NotesProps) => (
  <div className="notes">
    {findings.map(({ line, message, severity }) => (
      <div key={`${line} ${message}`} className="foot lintbox">
        <Mark status={severity === 'error' ? 'failed' : 'unknown'} isHidden />
        <span>
          <strong>
            {severity === 'error' ? 'Error' : 'Warning'}
            {line !== null && `, line ${line}`}:
          </strong>{' '}
          {message}
        </span>
      </div>
    ))}
    {overlay.isBehind && <ChangedElsewhere {...overlay} />}
    {overlay.error && (
      <p className="foot bad" role="alert">
        Not saved.{' '}
        {findings.some(({ severity }) => severity === 'error')
          ? 'Correct what is named above.'
          : overlay.error.message}
      </p>
    )}
    {capsule.shipped_overlay?.replace(/\r\n?/g, '\n') === overlay.text && (
      <p className="foot">
        The shipped text. Once saved, it is your own copy, which updates of Capstan do not change.
      </p>
    )}
    {!capsule.can_save && (
      <p className="foot">This capsule belongs to a project. Edit its file in the project.</p>
    )}
  </div>
);

/** Makes the browser ask before the page is left with an unsaved draft. */
function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

interface ChangedElsewhereProps {
  readonly keepMine: () => void;
  readonly takeSaved: () => void;
}

/** Warns that the overlay was saved elsewhere while a draft was being written. */
const ChangedElsewhere = ({ keepMine, takeSaved }: ChangedElsewhereProps) => (
  <div className="foot changed-elsewhere" role="alert">
    <Icon name="ask" className="mark wait" />
    <span>
      <strong>skill.md was saved elsewhere.</strong> Your draft is kept. Difference compares it with
      the saved text.
    </span>
    <span className="actions push">
      <Button word="Keep mine" onClick={keepMine} />
      <Button word="Use the saved text" onClick={takeSaved} />
    </span>
  </div>
);
