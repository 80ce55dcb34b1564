import { diffWordsWithSpace } from 'diff';
import { useMemo, useState } from 'react';
import { type Line, linesOf, nearChanges, unifiedLines } from '../../lib/text/diff-lines.ts';
import { visible } from '../../lib/text/format.ts';
import { Button } from '../input/button.tsx';

/** Maximum number of lines shown at first. */
const MAX_LINES = 400;

/** The diff of two texts, line by line, with the changed words marked. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => nearChanges(linesOf(before, after)), [before, after]);
  return <DiffLines lines={lines} label={label} />;
}

/** Shows a unified diff. */
export function UnifiedDiff({ diff, label }: { diff: string; label: string }) {
  const lines = useMemo(() => unifiedLines(diff), [diff]);
  return <DiffLines lines={lines} label={label} />;
}

interface DiffLinesProps {
  /** `undefined` marks omitted lines. */
  readonly lines: readonly (Line | undefined)[];
  readonly label: string;
}

/** Shows the lines of a diff. */
export function DiffLines({ lines, label }: DiffLinesProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? lines : lines.slice(0, MAX_LINES);
  return (
    <section className="diff" tabIndex={0} aria-label={label}>
      <table>
        <tbody>
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <Row key={index} line={line} />
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <Button
          word={`Show ${lines.length - shown.length} more lines`}
          look="quiet"
          onClick={() => setOpen(true)}
        />
      )}
    </section>
  );
}

const kinds = { '+': 'add', '-': 'del', ' ': '' } as const;

function Row({ line }: { line: Line | undefined }) {
  if (!line) {
    return (
      <tr className="hunk">
        <td />
        <td />
        <td />
        <td>…</td>
      </tr>
    );
  }
  return (
    <tr className={kinds[line.sign]}>
      <td>{line.before}</td>
      <td>{line.after}</td>
      <td>{line.sign === '-' ? '−' : line.sign}</td>
      <td>
        <Words line={line} />
      </td>
    </tr>
  );
}

/** Maximum length of two corresponding lines in which changed words are marked. */
const MAX_WORD_DIFF_CHARS = 2_000;

function Words({ line: { sign, text, counterpart } }: { line: Line }) {
  if (counterpart === undefined || text.length + counterpart.length > MAX_WORD_DIFF_CHARS)
    return visible(text);
  const [before, after] = sign === '+' ? [counterpart, text] : [text, counterpart];
  return diffWordsWithSpace(before, after)
    .filter((part) => (sign === '+' ? !part.removed : !part.added))
    .map((part, index) => {
      const words = visible(part.value);
      // biome-ignore-start lint/suspicious/noArrayIndexKey: words have no identity but their place
      if (part.added) return <ins key={index}>{words}</ins>;
      if (part.removed) return <del key={index}>{words}</del>;
      return <span key={index}>{words}</span>;
      // biome-ignore-end lint/suspicious/noArrayIndexKey: words have no identity but their place
    });
}
