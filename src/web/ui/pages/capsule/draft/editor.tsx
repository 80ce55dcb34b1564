import { type KeyboardEvent, useMemo } from 'react';
import type { PromptPreview } from '../../../../../contract/documents/capsule-documents.ts';
import { linesOf } from '../../../lib/text/diff-lines.ts';

interface EditorProps {
  readonly text: string;
  readonly saved: string;
  readonly findings: PromptPreview['findings'];
  readonly set: (text: string) => void;
  readonly save: () => void;
}

/** A text field over an identical layer of text that shows line numbers, added lines and findings. */
export function Editor({ text, saved, findings, set, save }: EditorProps) {
  const lines = text.split('\n');
  const added = useMemo(
    () => new Set(linesOf(saved, text).flatMap(({ sign, after }) => (sign === '+' ? [after] : []))),
    [saved, text],
  );
  const linted = new Set(findings.map(({ line }) => line));
  const onKey = (event: KeyboardEvent) => {
    if (!event.ctrlKey || event.key !== 's') return;
    event.preventDefault();
    save();
  };
  return (
    <div className="edit">
      <div className="editor" aria-hidden="true">
        {lines.map((line, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the line
            key={index}
            className={`${added.has(index + 1) ? 'new' : ''} ${linted.has(index + 1) ? 'lint' : ''}`}
          >
            <span>{linted.has(index + 1) ? <u>{line || ' '}</u> : line || ' '}</span>
          </div>
        ))}
      </div>
      <textarea
        aria-label="Overlay, Markdown"
        className="edit-field"
        spellCheck={false}
        value={text}
        onChange={(event) => set(event.target.value)}
        onKeyDown={onKey}
      />
    </div>
  );
}
