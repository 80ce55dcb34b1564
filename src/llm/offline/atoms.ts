import { letter, nameCharacter, wordLetter } from './letters.ts';

/** A piece of a task whose inside is never read as language. */
export interface Atom {
  readonly kind: 'fence' | 'code' | 'url' | 'quote' | 'shape' | 'file' | 'glob';
  readonly start: number;
  readonly end: number;
  /** Without its quotes, ticks or fence; for a fence its body. */
  readonly value: string;
  /** A fence's language in lower case, else ''. */
  readonly language: string;
}

/** One private-use character per kind, so that patterns can ask for a kind and never see the inside. */
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

const notFiles = /^(?:e\.g|i\.e|a\.m|p\.m|u\.s|v?\d+(?:\.\d+)+)$/i;
const hostEnding = /\.(?:com|org|net|io|dev|edu|gov)$/i;
const bareFile = /^(?:README|LICENSE|Makefile|Dockerfile|CHANGELOG)$/;

type Reader = (text: string, at: number) => Atom | undefined;

const byPattern =
  (
    kind: Atom['kind'],
    pattern: RegExp,
    refuse: (value: string, text: string, at: number) => boolean,
  ): Reader =>
  (text, at) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const value = match[1] ?? match[2] ?? match[3] ?? match[0];
    if (refuse(value, text, at)) return undefined;
    return { kind, start: at, end: at + match[0].length, value, language: '' };
  };

const wordPattern = new RegExp(wordLetter);
const namePattern = new RegExp(nameCharacter);

const startsAWord = (text: string, at: number) => at === 0 || !wordPattern.test(text[at - 1] ?? '');
const never = () => false;

/** A name is only looked for where a run of its characters starts: else a long word is read once per character. */
const startsARun = (text: string, at: number) => at === 0 || !namePattern.test(text[at - 1] ?? '');

const readFence: Reader = (text, at) => {
  const fence = /```([^\n`]*)\n([\s\S]*?)\n?```/y;
  fence.lastIndex = at;
  const match = fence.exec(text);
  if (match === null) return undefined;
  const language = (match[1] ?? '').trim().toLowerCase();
  return { kind: 'fence', start: at, end: at + match[0].length, value: match[2] ?? '', language };
};

const readUrl: Reader = (text, at) => {
  const url = /https?:\/\/[^\s<>"'`\])]+/iy;
  url.lastIndex = at;
  const match = url.exec(text);
  if (match === null) return undefined;
  const value = match[0].replace(/[.,;:!?]+$/, '');
  return { kind: 'url', start: at, end: at + value.length, value, language: '' };
};

/** `{"a": [..]}` or `["a", "b"]`: a shape or literal up to its matching bracket. */
const readShape: Reader = (text, at) => {
  if (text[at] !== '{' && text[at] !== '[') return undefined;
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    if ('{['.includes(text[end] ?? '')) depth += 1;
    if ('}]'.includes(text[end] ?? '')) depth -= 1;
    if (depth === 0) {
      return {
        kind: 'shape',
        start: at,
        end: end + 1,
        value: text.slice(at, end + 1),
        language: '',
      };
    }
  }
  return undefined;
};

const ending = new RegExp(`^[^\\s]*\\.${letter}(?:${letter}|\\d){0,9}$`);

const isFileLike = (value: string) =>
  bareFile.test(value.slice(value.lastIndexOf('/') + 1)) ||
  (ending.test(value) && !notFiles.test(value));

const readCode: Reader = (text, at) => {
  const found = byPattern('code', /`([^`\n]+)`/y, never)(text, at);
  if (found === undefined) return undefined;
  return isFileLike(found.value) ? { ...found, kind: 'file' } : found;
};

const quoted = new RegExp(`"([^"\\n]*)"|“([^”\\n]*)”|'([^'\\n]*)'(?!${letter}|\\d)`, 'y');

const readQuote: Reader = (text, at) => {
  if (!startsAWord(text, at)) return undefined;
  const found = byPattern('quote', quoted, never)(text, at);
  if (found === undefined) return undefined;
  const isFile = /^[^\s,:;]+(?: [^\s,:;]+)*\.[a-z][a-z0-9]{0,7}$/i.test(found.value);
  return isFile && !notFiles.test(found.value) ? { ...found, kind: 'file' } : found;
};

const nameRun = new RegExp(`${nameCharacter}+`, 'y');

/** The run of a name's characters that starts here, without what ends a sentence. */
function runAt(text: string, at: number): string {
  if (!startsARun(text, at)) return '';
  nameRun.lastIndex = at;
  return nameRun.exec(text)?.[0].replace(/[.-]+$/, '') ?? '';
}

const readGlob: Reader = (text, at) => {
  const value = runAt(text, at);
  if (!value.includes('*') || !/[./]/.test(value)) return undefined;
  return { kind: 'glob', start: at, end: at + value.length, value, language: '' };
};

const readFile: Reader = (text, at) => {
  const value = runAt(text, at);
  if (!isFileLike(value) && !isFolderLike(value, text.slice(Math.max(0, at - 12), at))) {
    return undefined;
  }
  if (hostEnding.test(value)) return undefined;
  return { kind: 'file', start: at, end: at + value.length, value, language: '' };
};

const folderLike = new RegExp(`^\\.{0,2}/|/.*/|${letter}/$`);

/** `docs/`, `./src`, `a/b/c`; `src/llm` only behind a word that says a place, since `and/or` is none. */
function isFolderLike(value: string, before: string): boolean {
  if (value === '/' || !value.includes('/')) return false;
  if (folderLike.test(value)) return true;
  return /\b(?:in|under|from|inside|folder|directory)\s$/i.test(before);
}

const readers: readonly Reader[] = [
  readFence,
  readCode,
  readUrl,
  readQuote,
  readShape,
  readGlob,
  readFile,
];

/** The atoms of a task in the order they stand. */
export function findAtoms(text: string): readonly Atom[] {
  const atoms: Atom[] = [];
  for (let at = 0; at < text.length; ) {
    const atom = /\s/.test(text[at] ?? '') ? undefined : firstOf(text, at);
    if (atom !== undefined) atoms.push(atom);
    at = atom === undefined ? at + 1 : atom.end;
  }
  return atoms;
}

function firstOf(text: string, at: number): Atom | undefined {
  for (const read of readers) {
    const atom = read(text, at);
    if (atom !== undefined) return atom;
  }
  return undefined;
}

/** The text with every character of an atom replaced by its mark: same length, nothing inside to misread. */
export function maskAtoms(text: string, atoms: readonly Atom[]): string {
  let masked = '';
  let at = 0;
  for (const atom of atoms) {
    masked += text.slice(at, atom.start) + marks[atom.kind].repeat(atom.end - atom.start);
    at = atom.end;
  }
  return masked + text.slice(at);
}
