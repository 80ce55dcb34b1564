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

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isBlank = (unit: number): boolean => unit === 32 || unit === 9;

const hasBlankEnd = (text: string): boolean =>
  isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1));

const hasLeadingZero = (text: string, at: number, digits: number): boolean =>
  digits > 1 && text.charCodeAt(at) === 48;

/** The end of the digits that start at `from`. */
function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Runs for every cell of a file, so it uses no regular expressions except for exponents. */
function classifyNumber(text: string): number | undefined {
  const bare = hasBlankEnd(text) ? text.trim() : text;
  const sign = bare.charCodeAt(0);
  const whole = Number(sign === 45 || sign === 43);
  const point = digitsEnd(bare, whole);
  const hasPoint = bare.charCodeAt(point) === 46;
  const rest = hasPoint ? digitsEnd(bare, point + 1) : point;
  const digits = point - whole;
  const decimals = hasPoint ? rest - point - 1 : 0;
  const end = bare.slice(rest);
  if (digits + decimals === 0 || (end !== '' && !EXPONENT.test(end))) return undefined;
  if (hasLeadingZero(bare, whole, digits)) return Kind.identifier;
  const isOdd = bare.length < text.length || sign === 43;
  if (!hasPoint && end === '') return integerCode(text, isOdd, sign, digits);
  const isUsual = !isOdd && end === '' && Math.min(digits, decimals) > 0;
  return realCode(text, digits + decimals, decimals, isUsual);
}

const EXPONENT = /^[eE][+-]?\d{1,3}$/;

function integerCode(text: string, isOdd: boolean, sign: number, digits: number): number {
  if (sign === 43 && digits >= 7) return Kind.identifier;
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
