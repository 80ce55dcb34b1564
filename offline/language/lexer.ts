import { months } from './lexicon.ts';
import { singular } from './words.ts';

export type TokenKind =
  | 'word'
  | 'number'
  | 'date'
  | 'quote'
  | 'code'
  | 'fence'
  | 'url'
  | 'pattern'
  | 'file'
  | 'glob'
  | 'op'
  | 'mark';

/** A piece of a task. Text in quotes, back-ticks or a fence is one token, and is never read as an instruction. */
export interface Token {
  readonly kind: TokenKind;
  /** As written, without quotes, back-ticks or fence. */
  readonly text: string;
  /** In lower case; for a date, `2024-05-17` or `2024-05`. */
  readonly norm: string;
  /** The singular of a word. */
  readonly stem: string;
  /** Of a number. */
  readonly value: number | undefined;
  /** Of a fence, in lower case. */
  readonly language: string;
  readonly start: number;
  readonly end: number;
}

type Found = Pick<Token, 'kind' | 'text'> & Partial<Pick<Token, 'norm' | 'value' | 'language'>>;

const nameCharacter = '[\\p{L}\\p{M}\\p{N}_.~@+*/\\p{So}-]';

/** The pattern for texts in ASCII alone, or the one for all others. */
type ByScript = (isAscii: boolean) => RegExp;

const asciiClasses: Readonly<Record<string, string>> = { L: 'A-Za-z', N: '0-9' };

/** Compiled when needed: classes of Unicode take longer to compile than a short text takes to read. */
function byScript(source: string, flags = ''): ByScript {
  const compiled = new Map<boolean, RegExp>();
  const compile = (isAscii: boolean) => {
    if (!isAscii) return new RegExp(source, `${flags}u`);
    return new RegExp(
      source.replace(/\\p\{(\w+)\}/g, (_, name) => asciiClasses[name] ?? ''),
      flags,
    );
  };
  return (isAscii) => {
    const pattern = compiled.get(isAscii) ?? compile(isAscii);
    compiled.set(isAscii, pattern);
    return pattern;
  };
}

const hasOnlyAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

const monthPattern =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

const twoDigits = (digits = '') => digits.padStart(2, '0');

const monthOf = (name = '') =>
  twoDigits(String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1));

const date =
  (norm: (found: RegExpExecArray) => string) =>
  (found: RegExpExecArray): Found => ({
    kind: 'date',
    text: found[0],
    norm: norm(found),
  });

const plain =
  (kind: TokenKind) =>
  (found: RegExpExecArray): Found => ({ kind, text: found[0] });

const bareFile = /^(?:README|LICENSE|Makefile|Dockerfile|CHANGELOG)$/;

const fileEnding = byScript('\\.[\\p{L}\\p{M}][\\p{L}\\p{M}\\p{N}_]{0,9}$');

const notFile = /^(?:e\.g|i\.e|a\.m|p\.m|u\.s|v?\d+(?:\.\d+)+)$/i;

const hostEnding = /\.(?:com|org|net|io|dev|edu|gov)$/i;

const folderLike = byScript('^\\.{0,2}/|/.*/|[\\p{L}\\p{N}_]/$');

/** Whether characters are spelled like the name of a file or folder. */
export function isFileName(value: string): boolean {
  const name = value.slice(value.lastIndexOf('/') + 1);
  if (bareFile.test(name)) return true;
  return (
    fileEnding(hasOnlyAscii(name)).test(name) && !notFile.test(value) && !hostEnding.test(value)
  );
}

const quoted = (found: RegExpExecArray): Found => {
  const text = found[1] ?? found[2] ?? found[3] ?? '';
  const isName =
    /^[^\s,:;]+(?: [^\s,:;]+)*\.[a-z][a-z0-9]{0,7}$/i.test(text) &&
    !notFile.test(text) &&
    !hostEnding.test(text);
  return { kind: isName ? (text.includes('*') ? 'glob' : 'file') : 'quote', text };
};

const ticked = (found: RegExpExecArray): Found => {
  const text = found[1] ?? '';
  const isName = !/\s/.test(text) && isFileName(text);
  return { kind: isName ? (text.includes('*') ? 'glob' : 'file') : 'code', text };
};

/** The first one that matches wins. */
const rules: readonly (readonly [RegExp | ByScript, (found: RegExpExecArray) => Found])[] = [
  [
    /```([^\n`]*)\n([\s\S]*?)\n?```/y,
    (found) => ({
      kind: 'fence',
      text: found[2] ?? '',
      language: (found[1] ?? '').trim().toLowerCase(),
    }),
  ],
  [/`([^`\n]+)`/y, ticked],
  [
    /(?<![^\s])\/((?:\\\/|[^/\n])*[\\^$|?*+()[\]{}.](?:\\\/|[^/\n])*)\/(?![\w.*-])/y,
    (found) => ({ kind: 'pattern', text: found[1] ?? '' }),
  ],
  [/https?:\/\/[^\s<>"'`\])]*[^\s<>"'`\]).,;:!?]/iy, plain('url')],
  [
    byScript(`"([^"\\n]*)"|“([^”\\n]*)”|(?<![\\p{L}\\p{N}])'([^'\\n]*)'(?![\\p{L}\\p{N}])`, 'y'),
    quoted,
  ],
  [/(\d{4})-(\d\d)-(\d\d)(?![\w-])/y, date(([text]) => text)],
  [/(\d{4})-(\d\d)(?![\w-])/y, date(([text]) => text)],
  [
    new RegExp(`(\\d{1,2})(?:st|nd|rd|th)?[/ ](${monthPattern})[/ ,]\\s?(\\d{4})(?![\\w:])`, 'iy'),
    date((found) => `${found[3]}-${monthOf(found[2])}-${twoDigits(found[1])}`),
  ],
  [
    new RegExp(`(${monthPattern}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?!\\w)`, 'iy'),
    date((found) => `${found[3]}-${monthOf(found[1])}-${twoDigits(found[2])}`),
  ],
  [
    new RegExp(`(${monthPattern})(?: of)? (\\d{4})(?!\\w)`, 'iy'),
    date((found) => `${found[2]}-${monthOf(found[1])}`),
  ],
  [/\d+(?:\.\d+){2,}(?![\w/])/y, plain('word')],
  [
    /(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:st|nd|rd|th)?(?![\w]|\.\w|-\w)/y,
    (found) => ({
      kind: 'number',
      text: found[0],
      value: Number(`${(found[1] ?? '').replaceAll(',', '')}${found[2] ?? ''}`),
    }),
  ],
  [
    /(\d+(?:\.\d+)?)(?=(?:ms|s|kb|mb|gb|%|k|h|min)\b)/iy,
    (found) => ({ kind: 'number', text: found[0], value: Number(found[1]) }),
  ],
  [
    byScript(
      "[\\p{L}\\p{N}_@#][\\p{L}\\p{M}\\p{N}_@]*(?:[-'’.][\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_]*)*",
      'y',
    ),
    plain('word'),
  ],
  [/>=|<=|!=|<>|==|≥|≤|≠|[<>=*×+\-/÷]/y, plain('op')],
  [byScript('\\S', 'y'), plain('mark')],
];

const nameRun = byScript(`${nameCharacter}+`, 'y');

const inName = byScript(nameCharacter);

/** The name of a file, a folder or a glob that starts here without quotes. */
function nameAt(text: string, at: number, isAscii: boolean): Found | undefined {
  if (at > 0 && inName(isAscii).test(text[at - 1] ?? '')) return undefined;
  const run = nameRun(isAscii);
  run.lastIndex = at;
  const value = run.exec(text)?.[0].replace(/[.-]+$/, '') ?? '';
  const isHost = /^[^@/]+@[^@/]+\.\w+$/.test(value);
  if (value.length < 2 || /^[@*+-]+$/.test(value) || isHost) return undefined;
  if (isGlob(value, text.slice(at + value.length))) return { kind: 'glob', text: value };
  if (value.includes('*')) return undefined;
  const before = text.slice(Math.max(0, at - 12), at);
  return isFileName(value) || isFolder(value, before) ? { kind: 'file', text: value } : undefined;
}

/** `*.md`, and `.md` before `files`. */
const isGlob = (value: string, behind: string): boolean =>
  value.includes('*')
    ? /[./]/.test(value)
    : /^\.[a-z]\w{0,9}$/i.test(value) && /^ files?\b/i.test(behind);

/** `docs/`, `./a`, `a/b/c`; a plain `a/b` only after a preposition. */
function isFolder(value: string, before: string): boolean {
  if (!value.includes('/') || value === '/') return false;
  return (
    folderLike(hasOnlyAscii(value)).test(value) ||
    /\b(?:in|under|from|inside|of|folder|directory)\s$/i.test(before)
  );
}

/** Splits a task into tokens. Only white space is left out. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const isAscii = hasOnlyAscii(text);
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at, isAscii);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number, isAscii: boolean): Token {
  const delimited = /["“'`]|https?:|\/(?=[^/\n]*[\\^$|?*+()[\]{}.][^/\n]*\/(?![\w.*-]))/iy;
  delimited.lastIndex = at;
  const name = delimited.test(text) ? undefined : nameAt(text, at, isAscii);
  if (name) return token(name, at, at + name.text.length);
  for (const [rule, make] of rules) {
    const pattern = rule instanceof RegExp ? rule : rule(isAscii);
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return token(make(found), at, at + found[0].length);
  }
  return token({ kind: 'mark', text: text[at] ?? '' }, at, at + 1);
}

const token = (
  { kind, text, norm, value, language = '' }: Found,
  start: number,
  end: number,
): Token => {
  const lower = (norm ?? text).toLowerCase().replaceAll('’', "'");
  return {
    kind,
    text,
    norm: lower,
    stem: kind === 'word' ? singular(lower) : lower,
    value,
    language,
    start,
    end,
  };
};
