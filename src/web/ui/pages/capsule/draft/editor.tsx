import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { PromptPreview } from '../../../../../contract/documents/capsule-documents.ts';
import { linesOf } from '../../../lib/text/diff-lines.ts';

/** Between the caret and the notes. */
const CLEAR_PX = 12;

interface EditorProps {
  readonly text: string;
  readonly saved: string;
  readonly findings: PromptPreview['findings'];
  readonly set: (text: string) => void;
}

/** A text field over an identical layer of text that shows line numbers, added lines and findings. */
export function Editor({ text, saved, findings, set }: EditorProps) {
  const field = useFieldWith(text);
  const { mirror, showCaret } = useShownCaret(field);
  const lines = text.split('\n');
  const added = useMemo(
    () => new Set(linesOf(saved, text).flatMap(({ sign, after }) => (sign === '+' ? [after] : []))),
    [saved, text],
  );
  const linted = new Set(findings.map(({ line }) => line));
  return (
    <div className="edit">
      <div ref={mirror} className="editor" aria-hidden="true">
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
        ref={field}
        aria-label="Overlay, Markdown"
        className="edit-field"
        spellCheck={false}
        defaultValue={text}
        onChange={(event) => set(event.target.value)}
        onSelect={showCaret}
      />
    </div>
  );
}

/** A field that contains this text. Every change of it, also by the page, is an edit that the browser can undo. */
function useFieldWith(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area || area.value === text) return;
    const [focused, top] = [document.activeElement, scrollY];
    area.focus();
    area.select();
    document.execCommand('insertText', false, text);
    // A browser without this command can't undo it.
    if (area.value !== text) area.value = text;
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    scrollTo({ top });
  }, [text]);
  return field;
}

/** Scrolls the line of the caret out from under the notes, which cover the end of the window, when it or they move. */
function useShownCaret(field: RefObject<HTMLTextAreaElement | null>) {
  const mirror = useRef<HTMLDivElement>(null);
  const showCaret = useCallback(() => {
    const area = field.current;
    const notes = area?.closest('.card')?.querySelector('.notes');
    if (!area || !notes || document.activeElement !== area) return;
    const before = area.value.slice(0, area.selectionEnd).split('\n');
    const line = mirror.current?.children[before.length - 1]?.querySelector('span');
    const text = line && document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
    if (!text) return;
    const caret = document.createRange();
    caret.setStart(text, Math.min(before.at(-1)?.length ?? 0, text.textContent?.length ?? 0));
    const { bottom } = caret.getBoundingClientRect();
    const covered = bottom + CLEAR_PX - notes.getBoundingClientRect().top;
    if (covered > 0 && bottom < innerHeight + CLEAR_PX) scrollBy({ top: covered });
  }, [field]);
  useEffect(() => {
    const notes = field.current?.closest('.card')?.querySelector('.notes');
    const sizes = new ResizeObserver(showCaret);
    if (notes) sizes.observe(notes);
    return () => sizes.disconnect();
  }, [field, showCaret]);
  return { mirror, showCaret };
}
