import { months } from './lexicon.ts';
import { singular } from './words.ts';

/** Kinds of tokens. `mark` is any other character. */
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
  /** The value of a number. */
  readonly value: number | undefined;
  /** The language of a fence, in lower case. */
  readonly language: string;
  readonly start: number;
  readonly end: number;
}

/** Letters of any script as plain ranges, because compiling `\p{L}` takes longer than reading a short text. */
const letters =
  'A-Za-z\\u00aa\\u00b5\\u00ba\\u00bc-\\u00be\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3041-\\udfff\\uf900-\\ufdff\\ufe10-\\ufefe\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffef';

/** Characters of file names, including signs and emoji. */
const nameCharacters = `${letters}\\d_.~@+*/\\u00a9\\u00ae\\u2300-\\u2bff\\ufe0f-`;

const nameEnding = new RegExp(`\\.[${letters}][${letters}\\d_]{0,9}$`);

const folder = new RegExp(`^\\.{0,2}/|/.*/|[${letters}\\d_]/$`);

const bareFile = /^(?:README|LICENSE|Makefile|Dockerfile|CHANGELOG)$/;

const notFile = /^(?:e\.g|i\.e|a\.m|p\.m|u\.s|v?\d+(?:\.\d+)+)$|\.(?:com|org|net|io|dev|edu|gov)$/i;

/** Whether a value is spelled like the name of a file. */
export function isFileName(value: string): boolean {
  const name = value.slice(value.lastIndexOf('/') + 1);
  return bareFile.test(name) || (nameEnding.test(name) && !notFile.test(value));
}

type Read = (found: RegExpExecArray) => Partial<Token> | undefined;

const nameOr = (other: 'quote' | 'code', text: string, isName: boolean): Partial<Token> => {
  const name = text.includes('*') ? 'glob' : 'file';
  return { kind: isName ? name : other, text };
};

/** Reads a quote. A file name may have several words. */
const readQuote: Read = ([, ...texts]) => {
  const text = texts.find((one) => one !== undefined) ?? '';
  const isName = /^[^\s,:;]+(?: [^\s,:;]+)*\.[a-z][a-z0-9]{0,7}$/i.test(text);
  return nameOr('quote', text, isName && !notFile.test(text));
};

const readCode: Read = ([, text = '']) =>
  nameOr('code', text, !/\s/.test(text) && isFileName(text));

/** Reads an unquoted name of a file, a folder or a glob. */
const readName: Read = ({ 0: run, index, input }) => {
  const text = run.replace(/[.-]+$/, '');
  const isHost = /^[^@/]+@[^@/]+\.\w+$/.test(text);
  // `servers[1].port` is a place inside a file.
  const isKey = text.startsWith('.') && input[index - 1] === ']';
  if (text.length < 2 || /^[@*+-]+$/.test(text) || isHost || isKey) return undefined;
  const end = index + text.length;
  if (text.includes('*')) return /[./]/.test(text) ? { kind: 'glob', text, end } : undefined;
  const behind = input.slice(end, end + 8);
  const isEnding = /^\.[a-z]\w{0,9}$/i.test(text) && /^ files?\b/i.test(behind);
  if (isEnding) return { kind: 'glob', text, end };
  const isName = isFileName(text) || isFolder(text, input.slice(Math.max(0, index - 12), index));
  return isName ? { kind: 'file', text, end } : undefined;
};

/** Whether a text names a folder: `docs/`, `./a`, `a/b/c`; a plain `a/b` only after a preposition. */
const isFolder = (text: string, before: string): boolean =>
  text.includes('/') &&
  !/^\/+$/.test(text) &&
  (folder.test(text) ||
    /\b(?:in|into|under|from|inside|of|folder|directory|called|named)\s$/i.test(before));

/** A pattern for the names of months. */
export const monthPattern =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

const readDate: Read = ({ groups }) => {
  const { day, month = '', year }: Record<string, string | undefined> = groups ?? {};
  const number = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const parts = [number, ...(day === undefined ? [] : [day])];
  return { norm: [year, ...parts.map((part) => String(part).padStart(2, '0'))].join('-') };
};

const readNumber: Read = ([, whole = '', part = '']) => ({
  value: Number(`${whole.replaceAll(',', '')}${part}`),
});

const readFence: Read = ([, language = '', text = '']) => ({
  text,
  language: language.trim().toLowerCase(),
});

const readPattern: Read = ([, text = '']) => ({ text });

const date = (pattern: string) =>
  new RegExp(pattern.replace('MONTH', `(?<month>${monthPattern})`), 'iy');

/** The first rule that matches wins. */
const rules: readonly (readonly [TokenKind, RegExp, Read?])[] = [
  ['fence', /```([^\n`]*)\n([\s\S]*?)\n?```/y, readFence],
  ['code', /`([^`\n]+)`/y, readCode],
  [
    'pattern',
    /(?<![^\s])\/((?:\\\/|[^/\n])*[\\^$|?*+()[\]{}.](?:\\\/|[^/\n])*)\/(?![\w.*-])/y,
    readPattern,
  ],
  ['url', /https?:\/\/[^\s<>"'`\])]*[^\s<>"'`\]).,;:!?]/iy],
  [
    'quote',
    new RegExp(
      `"([^"\\n]*)"|“([^”\\n]*)”|(?<![${letters}\\d])'([^'\\n]*)'(?![${letters}\\d])`,
      'y',
    ),
    readQuote,
  ],
  ...[`[${nameCharacters}]+(?:['’][${nameCharacters}]+)+`, `[${nameCharacters}]+`].map(
    (name) => ['file', new RegExp(`(?<![${nameCharacters}])${name}`, 'y'), readName] as const,
  ),
  ['date', /\d{4}-\d\d(?:-\d\d)?(?![\w-])/y],
  ...[
    '(?<day>\\d{1,2})(?:st|nd|rd|th)?[/ ]MONTH[/ ,]\\s?(?<year>\\d{4})(?![\\w:])',
    'MONTH (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?!\\w)',
    'MONTH(?: of)? (?<year>\\d{4})(?!\\w)',
  ].map((pattern) => ['date', date(pattern), readDate] as const),
  ['word', /\d+(?:\.\d+){2,}(?![\w/])/y],
  ['number', /(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:st|nd|rd|th)?(?![\w]|\.\w|-\w)/y, readNumber],
  ['number', /(\d+)(\.\d+)?(?=(?:ms|s|kb|mb|gb|%|k|h|min)\b)/iy, readNumber],
  ['word', new RegExp(`[${letters}\\d_@#][${letters}\\d_@]*(?:[-'’.][${letters}\\d_]+)*`, 'y')],
  ['op', />=|<=|!=|<>|==|≥|≤|≠|[<>=*×+\-/÷]/y],
  ['mark', /\S/y],
];

/** Splits a task into tokens. Only white space is dropped. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = text.search(/\S/); at >= 0 && at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
    while (/\s/.test(text[at] ?? '')) at += 1;
  }
  return tokens;
}

function tokenAt(input: string, start: number): Token {
  for (const [kind, pattern, read] of rules) {
    pattern.lastIndex = start;
    const found = pattern.exec(input);
    const said = found && (read === undefined ? {} : read(found));
    if (said)
      return tokenOf({ kind, text: found[0], start, end: start + found[0].length, ...said });
  }
  throw new Error(
    'No rule matched. The rule `mark` must match every character except white space.',
  );
}

function tokenOf(said: Pick<Token, 'kind' | 'text' | 'start' | 'end'> & Partial<Token>): Token {
  const norm = (said.norm ?? said.text).toLowerCase().replaceAll('’', "'");
  const stem = said.kind === 'word' ? singular(norm) : norm;
  return { value: undefined, language: '', ...said, norm, stem };
}
