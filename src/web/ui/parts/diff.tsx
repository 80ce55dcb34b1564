import { diffArrays, diffWordsWithSpace } from 'diff';
import { useMemo, useState } from 'react';
import { visible } from '../lib/visible.ts';

interface Line {
  readonly sign: ' ' | '+' | '-';
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
  /** The line on the other side that it replaces, for the words that changed. */
  readonly counterpart?: string;
}

/** Changed lines with this many unchanged ones around them. */
const CONTEXT = 3;

/** More changed lines than this are shown on request. */
const FOLDED = 400;

/** The lines of a difference, numbered on both sides. */
export function linesOf(before: string, after: string): Line[] {
  let [oldNumber, newNumber] = [0, 0];
  const parts = diffArrays(split(before), split(after));
  return parts.flatMap(({ value, added, removed }, index) => {
    const other = parts[index + (removed ? 1 : -1)];
    const pair = (removed && other?.added) || (added && other?.removed) ? other?.value : undefined;
    return value.map((text, at): Line => {
      const match = pair?.length === value.length ? pair[at] : undefined;
      const counterpart = match === undefined ? {} : { counterpart: match };
      if (added) return { sign: '+', after: ++newNumber, text, ...counterpart };
      if (removed) return { sign: '-', before: ++oldNumber, text, ...counterpart };
      return { sign: ' ', before: ++oldNumber, after: ++newNumber, text };
    });
  });
}

const split = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Lines near a change; `undefined` where lines are left out. */
function nearChanges(lines: readonly Line[]): (Line | undefined)[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  lines.forEach(({ sign }, index) => {
    if (sign !== ' ') isNear.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return isNear[index - 1] ? [undefined] : [];
  });
}

/** The difference of two texts, line by line, with the changed words marked. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => nearChanges(linesOf(before, after)), [before, after]);
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? lines : lines.slice(0, FOLDED);
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
        <button type="button" className="btn quiet" onClick={() => setOpen(true)}>
          Show {lines.length - shown.length} more lines
        </button>
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

/** A line longer than this is shown without the words that changed. */
const WORDS_CHARS = 2_000;

function Words({ line: { sign, text, counterpart } }: { line: Line }) {
  if (counterpart === undefined || text.length + counterpart.length > WORDS_CHARS)
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
