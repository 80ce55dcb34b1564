import { type ReactNode, Suspense, useState } from 'react';
import { visibleProse } from '../../lib/text/format.ts';
import { later } from '../later.tsx';
import { Code } from './code.tsx';

const Markdown = later(() => import('./markdown.tsx'));

/** Rendered Markdown. Until its renderer has loaded, the text. */
export const Formatted = ({ text }: { text: string }) => (
  <Suspense fallback={<p className="asked">{visibleProse(text)}</p>}>
    <Markdown text={visibleProse(text)} />
  </Suspense>
);

interface RenderedProps {
  readonly text: string;
  /** Makes the content above the text, with the button that switches to plain text and back. */
  readonly head: (toggle: ReactNode) => ReactNode;
}

/** Markdown, rendered or as plain text. */
export function Rendered({ text, head }: RenderedProps) {
  const [isRaw, setRaw] = useState(false);
  const toggle = () => setRaw(!isRaw);
  return (
    <>
      {head(
        <button type="button" className="link xs raw" aria-pressed={isRaw} onClick={toggle}>
          {isRaw ? 'Rendered' : 'Plain text'}
        </button>,
      )}
      {isRaw ? <Code text={text} look="request" /> : <Formatted text={text} />}
    </>
  );
}
