import { letter, nameCharacter, wordLetter } from './letters.ts';

/** A piece of an instruction that is taken as it stands: a name, an address, a text, code. */
export interface Atom {
  readonly kind: AtomKind;
  /** Without its quotes, ticks or fence; for a fence its body. */
  readonly value: string;
  /** A fence's language in lower case, else ''. */
  readonly language: string;
}

/** `p`: a pattern between slashes. */
export type AtomKind = 'fence' | 'code' | 'url' | 'quote' | 'pattern' | 'file' | 'glob';

/** One letter per kind, as forms spell them: `«f0»` is the first atom, a file. */
export const letters: Readonly<Record<AtomKind, string>> = {
  fence: 'b',
  code: 'c',
  url: 'u',
  quote: 'q',
  pattern: 'p',
  file: 'f',
  glob: 'g',
};

interface Found extends Atom {
  readonly end: number;
}

const bareFile = /^(?:README|LICENSE|Makefile|Dockerfile|CHANGELOG)$/;
/** `.md files` */
const bareEnding = /^\.[a-z]\w{0,9}$/i;
const notFile = /^(?:e\.g|i\.e|v?\d+(?:\.\d+)+)$/i;
const runPattern = new RegExp(`${nameCharacter}+`, 'y');
const runCharacter = new RegExp(nameCharacter);
const ending = new RegExp(`\\.${letter}${wordLetter}{0,9}$`);
const folderLike = new RegExp(`^\\.{0,2}/|/.*/|${letter}/$`);

const isFileName = (value: string) => {
  const name = value.slice(value.lastIndexOf('/') + 1);
  return bareFile.test(name) || (ending.test(name) && !notFile.test(value));
};

/** `docs/`, `./a`, `a/b/c`, `/x`; a plain `a/b` only behind a word that says a place. */
const isFolderName = (value: string, before: string) =>
  value.length > 1 &&
  value.includes('/') &&
  (folderLike.test(value) || /\b(?:in|under|from|inside|of|folder|directory)\s$/i.test(before));

const delimited: readonly (readonly [AtomKind, RegExp])[] = [
  ['fence', /```([^\n`]*)\n([\s\S]*?)\n?```/y],
  ['code', /`([^`\n]+)`/y],
  ['url', /https?:\/\/[^\s<>"'`\])]+/iy],
  ['quote', new RegExp(`"([^"\\n]*)"|“([^”\\n]*)”|'([^'\\n]*)'(?!${letter}|\\d)`, 'y')],
  ['pattern', new RegExp(`/((?:\\\\/|[^/\\n])+)/(?!${wordLetter}|[.*-])`, 'y')],
];

/** Replaces each atom of a text by its marker; guillemets of the text itself become plain quotes first. */
export function takeAtoms(text: string): {
  readonly marked: string;
  readonly atoms: readonly Atom[];
} {
  const safe = text.replaceAll(/[«»]/g, '"');
  const atoms: Atom[] = [];
  let marked = '';
  for (let at = 0; at < safe.length; ) {
    const found = readAt(safe, at);
    if (found === undefined) {
      marked += safe[at];
      at += 1;
      continue;
    }
    marked += `«${letters[found.kind]}${atoms.length}»`;
    atoms.push(found);
    at = found.end;
  }
  return { marked, atoms };
}

function readAt(text: string, at: number): Found | undefined {
  const here = text[at] ?? '';
  if (/\s/.test(here)) return undefined;
  const startsRun = at === 0 || !runCharacter.test(text[at - 1] ?? '');
  if (!startsRun && here !== '`') return undefined;
  return readDelimited(text, at) ?? (startsRun ? readName(text, at) : undefined);
}

function readDelimited(text: string, at: number): Found | undefined {
  for (const [kind, pattern] of delimited) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const end = at + match[0].length;
    if (kind === 'fence') {
      return { kind, value: match[2] ?? '', language: (match[1] ?? '').trim().toLowerCase(), end };
    }
    if (kind === 'url') {
      const value = match[0].replace(/[.,;:!?]+$/, '');
      return { kind, value, language: '', end: at + value.length };
    }
    const value = match[1] ?? match[2] ?? match[3] ?? '';
    return { kind: kindOfQuoted(kind, value), value, language: '', end };
  }
  return undefined;
}

/** A ticked or quoted name of a file is a file. */
function kindOfQuoted(kind: AtomKind, value: string): AtomKind {
  const isName =
    /^[^\s,:;]+(?: [^\s,:;]+)*\.[a-z][a-z0-9]{0,7}$/i.test(value) && !notFile.test(value);
  if (kind === 'quote' && isName) return value.includes('*') ? 'glob' : 'file';
  if (kind === 'code' && !/\s/.test(value) && isFileName(value))
    return value.includes('*') ? 'glob' : 'file';
  return kind;
}

function readName(text: string, at: number): Found | undefined {
  runPattern.lastIndex = at;
  const value = runPattern.exec(text)?.[0].replace(/[.-]+$/, '') ?? '';
  const found = { value, language: '', end: at + value.length };
  if (value.includes('*') && /[./]/.test(value)) return { kind: 'glob', ...found };
  if (bareEnding.test(value) && /^ files?\b/i.test(text.slice(found.end, found.end + 6)))
    return { kind: 'glob', ...found, value: `*${value}` };
  if (isFileName(value) || isFolderName(value, text.slice(Math.max(0, at - 12), at))) {
    return { kind: 'file', ...found };
  }
  return undefined;
}
