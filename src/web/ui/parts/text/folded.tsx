import { type ReactNode, useState } from 'react';
import { beginningOf } from '../../lib/text/beginning.ts';

interface FoldedProps {
  readonly text: string;
  /** Shows the text, or its beginning. */
  readonly children: (text: string) => ReactNode;
}

/** The beginning of a long text, with a button that shows all of it. */
export function Folded({ text, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const beginning = beginningOf(text);
  const lines = text.trimEnd().split('\n').length;
  return (
    <>
      {children(isOpen ? text : beginning)}
      {beginning !== text && (
        <button type="button" className="link xs unfold" onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? 'Show less'
            : lines > 1
              ? `Show all ${lines.toLocaleString('en-GB')} lines`
              : 'Show all'}
        </button>
      )}
    </>
  );
}
