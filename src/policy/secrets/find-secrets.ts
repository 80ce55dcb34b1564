import {
  squeezed,
  type TextView,
  unescaped,
  unpercented,
  viewOf,
  withoutOpenEscape,
} from './text-views.ts';

/** A shorter value can't be distinguished from ordinary text. */
export const MIN_SECRET_CHARS = 16;

/** The position of a secret in a text, in bytes of its UTF-8. */
export type Span = readonly [start: number, end: number];

export type SecretFinder = ReturnType<typeof createSecretFinder>;

/** @param secrets Each of 16 characters or more. */
export function createSecretFinder(secrets: readonly string[]) {
  const plain = [...new Set(secrets.flatMap((one) => [one, one.replaceAll(' ', '+')]))];
  const base64 = secrets.flatMap((secret) => [0, 1, 2].map((offset) => base64At(secret, offset)));
  const mayHold = createFilter([
    ...plain.map((text) => piecesOf(text, 1)),
    ...base64.map((text) => piecesOf(text, 2)),
  ]);
  const needles = {
    plain: plain.map((text) => Buffer.from(text)),
    base64: base64.map((text) => Buffer.from(text)),
  };
  const spansIn = (text: string) => spansInView(viewOf(text), needles, MAX_LAYERS);
  return {
    /** False if neither a text nor, if it is JSON, its value contains a secret in any form. Fast, and rarely true otherwise. */
    mayHold,
    /** Whether a text contains a secret in any form that `spansIn` finds. */
    isIn: (text: string): boolean => mayHold(text) && !spansIn(text).next().done,
    /**
     * Every position of a secret: verbatim, in JSON and in URLs (one in the other, too), and as Base64 wherever it begins in
     * what was encoded, in one line or many. They may overlap.
     */
    spansIn: (text: string): readonly Span[] => (mayHold(text) ? [...spansIn(text)] : []),
    /**
     * The byte from which the end of a text may be the beginning of a secret, in any form that `spansIn` finds; the length of
     * the text if there is none.
     */
    openEndOf: (text: string): number => openEndOf(viewOf(text), needles, MAX_LAYERS),
  };
}

const MAX_LAYERS = 2;

interface Needles {
  readonly plain: readonly Buffer[];
  readonly base64: readonly Buffer[];
}

function* spansInView(view: TextView, needles: Needles, layers: number): Generator<Span> {
  yield* placesOf(needles.plain, view);
  yield* placesOf(needles.base64, squeezed(view));
  if (layers === 0) return;
  for (const decode of [unescaped, unpercented]) {
    const inner = decode(view);
    if (inner) yield* spansInView(inner, needles, layers - 1);
  }
}

/** The first position from which the rest of the text may be the beginning of a secret. */
function openEndOf(view: TextView, needles: Needles, layers: number): number {
  const whole = withoutOpenEscape(view);
  const starts = [
    startOf(view, whole.bytes.length),
    openStart(needles.plain, whole),
    openStart(needles.base64, squeezed(whole)),
  ];
  if (layers === 0) return Math.min(...starts);
  for (const decode of [unescaped, unpercented]) {
    const inner = decode(whole);
    if (inner) starts.push(openEndOf(inner, needles, layers - 1));
  }
  return Math.min(...starts);
}

/** The position in the text from which a byte came; the text's end if there is none. */
const startOf = ({ starts, ends }: TextView, at: number): number => starts[at] ?? ends.at(-1) ?? 0;

/** The start of the longest end of a view that is the beginning of a needle. */
function openStart(needles: readonly Buffer[], view: TextView): number {
  const { bytes } = view;
  let longest = 0;
  for (const needle of needles) {
    const most = Math.min(needle.length - 1, bytes.length);
    for (let length = most; length > longest; length -= 1) {
      if (bytes.compare(needle, 0, length, bytes.length - length) === 0) longest = length;
    }
  }
  return startOf(view, bytes.length - longest);
}

function* placesOf(needles: readonly Buffer[], { bytes, starts, ends }: TextView): Generator<Span> {
  for (const needle of needles) {
    const { length } = needle;
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + length))
      yield [starts[at] ?? 0, ends[at + length - 1] ?? 0];
  }
}

/** The characters of a Base64 text that depend only on the secret, if `offset` other bytes (mod 3) come before it. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = bytes.toString('base64').replaceAll('=', '');
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/** Lines of Base64 are longer (RFC 7468: 64 characters): one of two pieces of this is in one line. */
const WITHIN_CHARS = 48;

/**
 * This many parts of a text that all of its forms contain unchanged: letters and digits, which are never encoded. In Base64,
 * a line break can be inside any part. Undefined if there are fewer.
 */
function piecesOf(text: string, count: number): readonly string[] | undefined {
  const start = count === 1 ? text : text.slice(0, WITHIN_CHARS);
  const runs = start.match(/[0-9A-Za-z]{6,}/g) ?? [];
  const pieces = runs.flatMap((run) => run.match(/.{6}/g) ?? []).slice(-count);
  return pieces.length < count ? undefined : pieces;
}

/** Pieces consist of letters and digits, so they are regular expressions that match themselves. */
function createFilter(pieces: readonly (readonly string[] | undefined)[]) {
  const isLong = (text: string): boolean => text.length >= MIN_SECRET_CHARS;
  if (pieces.includes(undefined)) return isLong;
  const known = new RegExp(pieces.flatMap((some) => some ?? []).join('|'));
  return (text: string): boolean => isLong(text) && known.test(text);
}
