import { type Token, tokenize } from '../language/lexer.ts';

/** A piece of a task that is never read as language. */
export interface Atom {
  readonly kind: 'fence' | 'code' | 'url' | 'quote' | 'shape' | 'file' | 'glob';
  readonly start: number;
  readonly end: number;
  /** Without its quotes, back-ticks or fence. */
  readonly value: string;
  /** A fence's language in lower case, else ''. */
  readonly language: string;
}

/** A private-use character for each kind, so that patterns can match a kind but not the content. */
export const marks = {
  fence: '\uE000',
  code: '\uE001',
  url: '\uE002',
  quote: '\uE003',
  shape: '\uE004',
  file: '\uE005',
  glob: '\uE006',
} as const satisfies Record<Atom['kind'], string>;

/** Anything that is an atom, as a character class. */
export const anyMark = '[\uE000-\uE006]';

const kinds: Partial<Record<Token['kind'], Atom['kind']>> = {
  ...{ fence: 'fence', code: 'code', url: 'url', quote: 'quote', file: 'file', glob: 'glob' },
  pattern: 'quote',
};

/** The atoms of a task in their order. */
export function findAtoms(text: string): readonly Atom[] {
  const atoms: Atom[] = [];
  let end = 0;
  for (const token of tokenize(text)) {
    if (token.start < end) continue;
    const atom = shapeAt(text, token.start) ?? atomOf(token);
    if (atom === undefined) continue;
    atoms.push(atom);
    end = atom.end;
  }
  return atoms;
}

function atomOf({ kind, text, language, start, end }: Token): Atom | undefined {
  const known = kinds[kind];
  return known && { kind: known, start, end, value: text, language };
}

/** `{"a": [..]}` or `["a", "b"]`: a shape or literal up to its matching bracket. */
function shapeAt(text: string, at: number): Atom | undefined {
  if (text[at] !== '{' && text[at] !== '[') return undefined;
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    if ('{['.includes(text[end] ?? '')) depth += 1;
    if ('}]'.includes(text[end] ?? '')) depth -= 1;
    if (depth > 0) continue;
    const value = text.slice(at, end + 1);
    return { kind: 'shape', start: at, end: end + 1, value, language: '' };
  }
  return undefined;
}

/** The text with every character of an atom replaced by its mark. The length stays the same. */
export function maskAtoms(text: string, atoms: readonly Atom[]): string {
  let masked = '';
  let at = 0;
  for (const atom of atoms) {
    masked += text.slice(at, atom.start) + marks[atom.kind].repeat(atom.end - atom.start);
    at = atom.end;
  }
  return masked + text.slice(at);
}
