import { randomBytes } from 'node:crypto';

/** A number of a JSON document as it is spelled. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object or a list in a cell, as JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Marks a number that JavaScript would print differently. Random, so that no document can contain it. */
interface Mark {
  readonly begin: string;
  readonly marked: RegExp;
}

let known: Mark | undefined;

/** Created by the first number that needs it: loading Node's `crypto` takes longer than most queries. */
function mark(): Mark {
  const begin = known?.begin ?? `number-${randomBytes(12).toString('hex')}:`;
  known ??= { begin, marked: new RegExp(`"${begin}([-+.\\deE]+)"`, 'g') };
  return known;
}

/** Numbers that JavaScript may print differently. It also matches texts, which only costs time. */
const SUSPECT = /\d[eE][+-]?\d|\.\d*0(?!\d)|\d{16}|\.\d{16}|-0(?!\.\d)|0\.000000/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON.parse that keeps the spelling of numbers; `cellOf` returns it.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!SUSPECT.test(text)) return parsed;
  return JSON.parse(
    text.replace(TOKEN, (token) => {
      if (token.startsWith('"') || String(Number(token)) === token) return token;
      return `"${mark().begin}${token}"`;
    }),
  );
}

/** A value of `parseJson` as a cell. */
export function cellOf(value: unknown): string | NumberText | JsonText | boolean | null {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number') return new NumberText(String(value));
  if (typeof value === 'string') {
    if (!known || !value.startsWith(known.begin)) return value;
    return new NumberText(value.slice(known.begin.length));
  }
  return new JsonText(toJson(value));
}

/** JSON of a value of `parseJson`, with its numbers spelled as they were. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return known ? text.replace(known.marked, '$1') : text;
}
