import { anyMark, marks } from './atoms.ts';
import { letter } from './letters.ts';

/**
 * The kind of a clause with an output verb.
 * - `reference`: what earlier steps found is saved
 * - `content`: a text that the task itself holds is written
 * - `shape`: content and form of a file are described; one step works it out and writes it
 * - `question`: something new is asked for, with or without a place to put it
 */
export type OutputKind = 'reference' | 'content' | 'shape' | 'question';

export interface OutputClause {
  readonly kind: OutputKind;
  /** Offsets in the clause of each file that is written. */
  readonly targets: readonly number[];
  /** `it`: the result of its sentence; `a report`, `them`, `the table`: all results that are not saved yet, filtered by the noun. */
  readonly refersTo: 'sentence' | 'unsaved';
  /** The offset of a second `… and the table as table.csv`, else -1. */
  readonly secondAt: number;
}

const file = `${marks.file}+`;
const referenceWord =
  /^(?:the|a|an|my|your|its|their|this|that|these|those|it|them|everything|all|both|of|and|as|in|with|for|from|new|full|short|brief|markdown|md|json|csv|tsv|text|txt|plain|file|format|combined|final|complete|whole|entire|two|three|four|results?|answers?|outputs?|findings|reports?|summary|summaries|tables?|lists?|numbers?|counts?|totals?|texts?|contents?|pages?|data|lines|matches|response|earlier|previous|above|steps?|title|titled|sections?|heading|one|each|per|section|so|found|you|what|was|were|been|have|has|down|up|out)$/i;
const contentWord =
  /^(?:the|a|an|exact|exactly|text|texts|line|lines|words?|content|contents|string|following|this|that|says?|saying|containing|contains|with|reading|only|just|new|file|called|named|to|into|in|as|and|it|which|sentence|message|heading|note|at|its|end|of)$/i;
const word = new RegExp(`${letter}(?:${letter}|['’-])*`, 'g');
const wordsOf = (masked: string) => masked.match(word) ?? [];
const hasLiteral = (masked: string) => /[\uE000\uE001\uE003\uE004]/.test(masked);

/** Simple stemming, to compare the words of two phrases. */
export const stem = (word: string) => word.toLowerCase().replace(/(?:ies|es|s|ed|ing)$/, '');

/**
 * Reads a clause that starts with an output verb.
 *
 * @param known Stems of the words of earlier steps. An object of such words is a reference.
 */
export function readOutputClause(
  masked: string,
  verb: string,
  known: ReadonlySet<string>,
): OutputClause {
  const body = masked.slice(verb.length);
  const offset = verb.length;
  const direct = new RegExp(
    `^\\s+(?:(?:a|an|the|to|into)\\s+)?(?:(?:new|empty)\\s+)?(?:(?:file|report)\\s+)?(?:(?:called|named)\\s+)?(${file})`,
  ).exec(body);
  if (direct !== null) {
    const at = direct[0].length - (direct[1]?.length ?? 0);
    return { ...directKind(body.slice(direct[0].length)), targets: [offset + at] };
  }
  const placed = new RegExp(
    `^(.*?)\\s(?:as|to|into|in|under|called|named|at)\\s+(?:(?:a|an|the)\\s+)?(?:(?:new|json|csv|text|markdown)\\s+)*(?:file\\s+)?(?:(?:called|named)\\s+)?(${file})`,
    'is',
  ).exec(body);
  if (placed === null) return { ...unplacedKind(body), targets: [] };
  const targetAt = placed[0].length - (placed[2]?.length ?? 0);
  const restAt = offset + placed[0].length;
  const rest = masked.slice(restAt);
  const targets = [offset + targetAt];
  return { ...placedKind({ object: placed[1] ?? '', rest, known, restAt }), targets };
}

type Kind = Omit<OutputClause, 'targets'>;
const reference = (refersTo: OutputClause['refersTo']): Kind => ({
  kind: 'reference',
  refersTo,
  secondAt: -1,
});
/** The results that the object of a save refers to. */
function reach(object: string): OutputClause['refersTo'] {
  return /^\s*(?:it|this|that|the result)\b/i.test(object) ? 'sentence' : 'unsaved';
}
const other = (kind: OutputKind): Kind => ({ kind, refersTo: 'unsaved', secondAt: -1 });

/** `write FILE…`: without more words, the results are saved; a literal is content; anything else is a shape. */
function directKind(rest: string): Kind {
  if (hasLiteral(rest) && wordsOf(rest).every((word) => contentWord.test(word))) {
    return other(/^[\s:]*(?:as|with)?[\s:]*\uE004+/.test(rest) ? 'shape' : 'content');
  }
  if (!hasLiteral(rest) && wordsOf(rest).every((word) => referenceWord.test(word))) {
    return /:\s*\S/.test(rest) ? other('shape') : reference('unsaved');
  }
  return other('shape');
}

function unplacedKind(body: string): Kind {
  const words = wordsOf(body);
  const refers = !hasLiteral(body) && !new RegExp(anyMark).test(body);
  return refers && words.length > 0 && words.every((word) => referenceWord.test(word))
    ? reference(reach(body))
    : other('question');
}

interface Placed {
  readonly object: string;
  readonly rest: string;
  readonly known: ReadonlySet<string>;
  /** Offset of `rest` in the clause. */
  readonly restAt: number;
}

function placedKind({ object, rest, known, restAt }: Placed): Kind {
  const all = `${object} ${rest}`;
  if (hasLiteral(object) || hasLiteral(rest)) {
    const isContent = wordsOf(all).every((word) => contentWord.test(word));
    if (isContent) return other('content');
    if (!/\uE003/.test(all)) return other('shape');
  }
  const isReference = wordsOf(object).every(
    (word) => referenceWord.test(word) || (known.size > 0 && known.has(stem(word))),
  );
  if (!isReference || new RegExp(`[${marks.file}${marks.url}${marks.glob}]`).test(object)) {
    return other('question');
  }
  if (/^\s*(?::|with\b.*\b(?:header|columns?|keys?|fields?)\b)/is.test(rest)) return other('shape');
  const second = new RegExp(
    `^\\s*(?:,|,?\\s*and)\\s+(?=[^,]*\\s(?:as|to|in|into)\\s+${file})`,
    'is',
  ).exec(rest);
  const isPlain = wordsOf(rest).every((word) => referenceWord.test(word));
  if (second === null && !isPlain) return other('shape');
  const secondAt = second === null ? -1 : restAt + second[0].length;
  return { ...reference(reach(object)), secondAt };
}
