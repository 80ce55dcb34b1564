/** A text as bytes (UTF-8), literal or decoded: byte n came from the bytes `starts[n]` up to `ends[n]` of the text. */
export interface TextView {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The text itself. */
export function viewOf(text: string): TextView {
  const bytes = Buffer.from(text);
  const starts = Uint32Array.from(bytes, (_byte, at) => at);
  const ends = starts.map((at) => at + 1);
  return { bytes, starts, ends };
}

/** With JSON escapes decoded (RFC 8259), and without a backslash before punctuation; undefined if there are none. */
export const unescaped = (view: TextView): TextView | undefined =>
  decoded(view, BACKSLASH, escaped);

/** With percent-encoding decoded (RFC 3986); undefined if there is none. */
export const unpercented = (view: TextView): TextView | undefined => decoded(view, PERCENT, octet);

/** Without an incomplete escape at its end: `%4`, `\u00`. */
export function withoutOpenEscape({ bytes, starts, ends }: TextView): TextView {
  const from = Math.max(0, bytes.length - MAX_ESCAPE_BYTES);
  const found = openEscape.exec(bytes.toString('latin1', from));
  const at = found ? from + found.index : bytes.length;
  const length = isEscapedAt(bytes, at) ? bytes.length : at;
  return {
    bytes: bytes.subarray(0, length),
    starts: starts.subarray(0, length),
    ends: ends.subarray(0, length),
  };
}

/** The longest escape has two halves of six bytes. */
const MAX_ESCAPE_BYTES = 12;
const openEscape = /(%[0-9a-f]?|\\(u[0-9a-f]{0,3})?|\\ud[89ab][0-9a-f]{2}(\\(u[0-9a-f]{0,3})?)?)$/i;

/** Whether the backslash at a position is escaped by the one before it. */
function isEscapedAt(bytes: Buffer, at: number): boolean {
  let before = 0;
  while (bytes[at] === BACKSLASH && bytes[at - 1 - before] === BACKSLASH) before += 1;
  return before % 2 === 1;
}

/** Base64 in the common alphabet: without line breaks, and with `+/` instead of the `-_` of URLs. */
export function squeezed(view: TextView): TextView {
  const writer = writerFor(view);
  const { bytes } = view;
  let isInBreak = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    isInBreak = isInBreak ? blanks.has(byte) : byte === LF || byte === CR;
    if (!isInBreak) writer.put(common[byte] ?? byte, at, 1);
  }
  return writer.view();
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const blanks: ReadonlySet<number> = new Set([TAB, LF, CR, SPACE]);
const [PERCENT, PLUS, MINUS, SLASH, BACKSLASH, UNDERSCORE] = [0x25, 0x2b, 0x2d, 0x2f, 0x5c, 0x5f];
const common: Readonly<Record<number, number>> = { [MINUS]: PLUS, [UNDERSCORE]: SLASH };

/** The decoded character at a position, and its encoded length in bytes; undefined if nothing is encoded there. */
type Decode = (
  bytes: Buffer,
  at: number,
) => { readonly out: Iterable<number>; readonly takes: number } | undefined;

function decoded(view: TextView, mark: number, decode: Decode): TextView | undefined {
  const { bytes } = view;
  if (!bytes.includes(mark)) return undefined;
  const writer = writerFor(view);
  let isChanged = false;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const found = byte === mark ? decode(bytes, at) : undefined;
    const { out, takes } = found ?? { out: [byte], takes: 1 };
    for (const one of out) writer.put(one, at, takes);
    isChanged ||= found !== undefined;
    at += takes;
  }
  return isChanged ? writer.view() : undefined;
}

const octet: Decode = (bytes, at) => {
  const byte = hexAt(bytes, at + 1, 2);
  return byte === undefined ? undefined : { out: Uint8Array.of(byte), takes: 3 };
};

const letters: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, character]) => [
    letter.charCodeAt(0),
    character.charCodeAt(0),
  ]),
);

const escaped: Decode = (bytes, at) => {
  const next = bytes[at + 1];
  if (next === undefined) return undefined;
  if (next === 0x75) return unicodeAt(bytes, at);
  const character = letters.get(next) ?? (isPunctuation(next) ? next : undefined);
  return character === undefined ? undefined : { out: Uint8Array.of(character), takes: 2 };
};

/** `\u0041`, or the two halves of a character above U+FFFF. */
const unicodeAt: Decode = (bytes, at) => {
  const unit = hexAt(bytes, at + 2, 4);
  if (unit === undefined) return undefined;
  const isPair =
    unit >= 0xd800 && unit < 0xdc00 && bytes.toString('latin1', at + 6, at + 8) === '\\u';
  const second = isPair ? hexAt(bytes, at + 8, 4) : undefined;
  const text = String.fromCharCode(unit, ...(second === undefined ? [] : [second]));
  return { out: Buffer.from(text), takes: second === undefined ? 6 : 12 };
};

function hexAt(bytes: Buffer, at: number, digits: number): number | undefined {
  const text = bytes.toString('latin1', at, at + digits);
  return text.length === digits && /^[0-9a-f]+$/i.test(text)
    ? Number.parseInt(text, 16)
    : undefined;
}

const isPunctuation = (byte: number): boolean =>
  byte > SPACE && byte < 0x7f && !/[0-9A-Za-z]/.test(String.fromCharCode(byte));

/** No decoding makes a text longer. */
function writerFor({ bytes, starts, ends }: TextView) {
  const out = Buffer.alloc(bytes.length);
  const outStarts = new Uint32Array(bytes.length);
  const outEnds = new Uint32Array(bytes.length);
  let length = 0;
  return {
    put(byte: number, at: number, takes: number): void {
      out[length] = byte;
      outStarts[length] = starts[at] ?? 0;
      outEnds[length] = ends[at + takes - 1] ?? 0;
      length += 1;
    },
    view: (): TextView => ({
      bytes: out.subarray(0, length),
      starts: outStarts.subarray(0, length),
      ends: outEnds.subarray(0, length),
    }),
  };
}
