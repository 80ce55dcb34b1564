import { wordLetter } from '../instruction/letters.ts';

/** `file`: a path with a known ending; `punct`: one mark; `op`: a comparison or calculation. */
export type TokenKind = 'word' | 'number' | 'quoted' | 'file' | 'date' | 'op' | 'punct';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for `quoted` without the quotes. */
  readonly text: string;
  /** Lower case; for `date` in the form `2024-05-17` or `2024-05`. */
  readonly norm: string;
  /** With `number`. */
  readonly value?: number | undefined;
  readonly start: number;
  readonly end: number;
}

const endings =
  'log|csv|tsv|jsonl|ndjson|json|db|sqlite3?|db3|md|markdown|txt|html?|ya?ml|xml|parquet|xlsx?';
const monthNames =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface Rule {
  readonly pattern: RegExp;
  readonly make: (found: RegExpExecArray) => Pick<Token, 'kind' | 'text' | 'norm' | 'value'>;
}

const plain = (kind: TokenKind) => (found: RegExpExecArray) => ({
  kind,
  text: found[0],
  norm: found[0].toLowerCase(),
});
const quoted = (found: RegExpExecArray) => {
  const text = found[1] ?? '';
  return { kind: 'quoted', text, norm: text.toLowerCase() } as const;
};
const date = (norm: (found: RegExpExecArray) => string) => (found: RegExpExecArray) => ({
  kind: 'date' as const,
  text: found[0],
  norm: norm(found),
});
const two = (digits: string | undefined): string => (digits ?? '').padStart(2, '0');
const monthOf = (name: string | undefined): string =>
  two(String(months.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1));

/** Of a file's name without quotes, in any script; pictures count. */
const nameCharacter = `(?:${wordLetter}|[@~.\\ud800-\\udfff-])`;

/** What stands before a command: a file named at its end is the command's own. */
const runs = '\\b(?:run|execute|invoke|call|launch|command|(?:output|result) of)';

/** The first that matches at a place wins. */
const rules: readonly Rule[] = [
  {
    pattern: new RegExp(`(?<!${runs}[\\s:]{1,2})\`([^\`\\n]+\\.(?:${endings}))\``, 'iy'),
    make: fileToken,
  },
  { pattern: new RegExp(`"([^"\\n]+\\.(?:${endings}))"`, 'iy'), make: fileToken },
  {
    pattern: new RegExp(
      `((?:(?<!${wordLetter})/)?(?:${nameCharacter}+/)*${nameCharacter}*\\.(?:${endings})(?:\\.\\d+)?)(?!${wordLetter}|/|\\.\\w)`,
      'iy',
    ),
    make: fileToken,
  },
  { pattern: /`([^`\n]+)`/y, make: quoted },
  { pattern: /"([^"\n]*)"/y, make: quoted },
  { pattern: /“([^”\n]*)”/y, make: quoted },
  { pattern: /(?<![\w])'([^'\n]+)'(?!\w)/y, make: quoted },
  { pattern: /(\d{4})-(\d\d)-(\d\d)(?![\w-])/y, make: date((found) => found[0]) },
  { pattern: /(\d{4})-(\d\d)(?![\w-])/y, make: date((found) => found[0]) },
  {
    pattern: new RegExp(`(\\d{1,2})[/ ](${monthNames})[/ ,]\\s?(\\d{4})(?![\\w:])`, 'iy'),
    make: date((found) => `${found[3]}-${monthOf(found[2])}-${two(found[1])}`),
  },
  {
    pattern: new RegExp(`(${monthNames}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?!\\w)`, 'iy'),
    make: date((found) => `${found[3]}-${monthOf(found[1])}-${two(found[2])}`),
  },
  {
    pattern: new RegExp(`(${monthNames}) (\\d{4})(?!\\w)`, 'iy'),
    make: date((found) => `${found[2]}-${monthOf(found[1])}`),
  },
  { pattern: /\d+(?:\.\d+){2,}/y, make: plain('word') },
  { pattern: /[1-5]xx\b/iy, make: plain('word') },
  { pattern: /(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:st|nd|rd|th)?(?![\d])/y, make: numberToken },
  { pattern: /p\d{2}(?:\.\d+)?\b/iy, make: plain('word') },
  {
    pattern: /[\p{L}_@][\p{L}\p{M}\p{N}_@]*(?:[-'’.][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/uy,
    make: plain('word'),
  },
  { pattern: />=|<=|!=|<>|==|≥|≤|≠|[<>=*×+\-/÷]/y, make: plain('op') },
  { pattern: /[.,;:()[\]{}?!%&|#$€£]/y, make: plain('punct') },
  { pattern: /[^\s]/uy, make: plain('punct') },
];

function fileToken(found: RegExpExecArray) {
  const text = found[1] ?? '';
  return { kind: 'file', text, norm: text } as const;
}

function numberToken(found: RegExpExecArray) {
  const digits = `${(found[1] ?? '').replaceAll(',', '')}${found[2] ?? ''}`;
  return { kind: 'number', text: found[0], norm: digits, value: Number(digits) } as const;
}

/** Splits an instruction into tokens; nothing but white space is left out. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  for (const { pattern, make } of rules) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return { ...make(found), start: at, end: at + found[0].length };
  }
  return { kind: 'punct', text: text[at] ?? '', norm: text[at] ?? '', start: at, end: at + 1 };
}
