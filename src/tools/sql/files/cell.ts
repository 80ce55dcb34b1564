/** What the text of a cell is. `classify` returns a kind with flags. */
export const Kind = {
  empty: 0,
  /** Text for a missing value: `NA`, `null`, `-`. */
  marker: 1,
  integer: 2,
  real: 3,
  boolean: 4,
  date: 5,
  datetime: 6,
  time: 7,
  /** Digits whose spelling matters: `007`, `+491512345678`, more digits than a 64-bit integer has. */
  identifier: 8,
  text: 9,
  /** The row has no such cell. */
  missing: 10,
  /** `1,204.50`: a number if the column has decimals with a point. */
  grouped: 11,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export const kindOf = (code: number): Kind => (code & 15) as Kind;
/** Whether printing the number gives the same text. */
export const isPlain = (code: number): boolean => (code & 16) !== 0;
/** The number of decimals with which `toFixed` gives the same text; 0 if there is none. */
export const decimalsOf = (code: number): number => code >> 5;

const PLAIN = 16;
const MAX_TYPED_CHARS = 40;
/** Decimals with so many digits survive the conversion to a double. */
const SAFE_DIGITS = 15;
const MAX_DECIMALS = 20;
const COMMON_INTEGER = /^(?:0|-?[1-9]\d{0,17})$/;

const markers: ReadonlySet<string> = new Set(
  'na n/a n.a. nan null none nil #n/a - -- ? .'.split(' '),
);
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DATETIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?$/;
const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/;

/** The kind of a text, with flags about how a number is spelled. */
export function classify(text: string): number {
  const { length } = text;
  if (length === 0) return Kind.empty;
  if (length > MAX_TYPED_CHARS) return Kind.text;
  const first = text.charCodeAt(0);
  // Neither a number nor a time begins with a letter or one of most signs.
  if (first > 57 || (first > 32 && first < 43)) return classifyWord(text);
  if (COMMON_INTEGER.test(text)) return Kind.integer | PLAIN;
  return classifyNumber(text) ?? classifyTime(text) ?? classifyGrouped(text) ?? classifyWord(text);
}

/** The kind of a JSON string, which is never a number. */
export const classifyString = (text: string): number =>
  text.length > MAX_TYPED_CHARS ? Kind.text : (classifyTime(text) ?? Kind.text);

const GROUPED = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

const classifyGrouped = (text: string): number | undefined =>
  GROUPED.test(text) ? Kind.grouped : undefined;

function classifyWord(text: string): number {
  if (text.length > 8) return Kind.text;
  const word = text.trim().toLowerCase();
  if (word === '') return Kind.empty;
  if (word === 'true' || word === 'false') return Kind.boolean;
  return markers.has(word) ? Kind.marker : Kind.text;
}

function classifyTime(text: string): number | undefined {
  const mark = text.charCodeAt(4) === 45 ? 4 : text.indexOf(':');
  if (mark < 1 || mark > 4) return undefined;
  if (mark < 4) return TIME.test(text) ? Kind.time : undefined;
  if (text.length === 10) return DATE.test(text) ? Kind.date : undefined;
  return DATETIME.test(text) ? Kind.datetime : undefined;
}

const NUMBER = /^[ \t]*([+-]?)(\d*)(?:(\.)(\d*))?([eE][+-]?\d{1,3})?[ \t]*$/;

function classifyNumber(text: string): number | undefined {
  const found = NUMBER.exec(text);
  if (!found) return undefined;
  const [, sign = '', digits = '', point, decimals = '', exponent] = found;
  if (digits === '' && decimals === '') return undefined;
  if (digits.length > 1 && digits.startsWith('0')) return Kind.identifier;
  const isOdd = sign === '+' || /^[ \t]|[ \t]$/.test(text);
  if (!point && !exponent) return integerCode(text, isOdd, sign, digits.length);
  const isUsual = !isOdd && !exponent && digits !== '' && decimals !== '';
  return realCode(text, digits.length + decimals.length, decimals.length, isUsual);
}

function integerCode(text: string, isOdd: boolean, sign: string, digits: number): number {
  if (sign === '+' && digits >= 7) return Kind.identifier;
  if (digits >= 19) {
    const value = BigInt(text.trim().replace('+', ''));
    if (BigInt.asIntN(64, value) !== value) return Kind.identifier;
  }
  return isOdd || text === '-0' ? Kind.integer : Kind.integer | PLAIN;
}

/** @param isUsual Digits before and after the point, and nothing else. */
function realCode(text: string, digits: number, decimals: number, isUsual: boolean): number {
  const value = Number(text);
  if (!isUsual) return Number.isFinite(value) ? Kind.real : Kind.identifier;
  // SQLite stores no negative zero.
  if (value === 0 && text.startsWith('-')) return Kind.real;
  if (digits <= SAFE_DIGITS && Math.abs(value) >= 1e-6) {
    const plain = text.charCodeAt(text.length - 1) === 48 ? 0 : PLAIN;
    return Kind.real | plain | (decimals << 5);
  }
  const plain = String(value) === text ? PLAIN : 0;
  const fixed = decimals <= MAX_DECIMALS && value.toFixed(decimals) === text ? decimals : 0;
  return Kind.real | plain | (fixed << 5);
}
