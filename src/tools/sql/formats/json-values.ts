/** A number of a JSON document as it is spelled. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Begins a number that JavaScript would print differently. Random, so that no document can contain it. */
const MARK = `number-${Math.random()}-${Math.random()}:`;
const MARKED = new RegExp(`"${MARK}([-+.\\deE]+)"`, 'g');

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
      return `"${MARK}${token}"`;
    }),
  );
}

/** A value of `parseJson` as a cell; an object or a list as its JSON. */
export function cellOf(value: unknown): string | NumberText | boolean | null {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number') return new NumberText(String(value));
  if (typeof value === 'string') {
    return value.startsWith(MARK) ? new NumberText(value.slice(MARK.length)) : value;
  }
  return toJson(value);
}

/** JSON of a value of `parseJson`, with its numbers spelled as they were. */
const toJson = (value: unknown): string => JSON.stringify(value).replace(MARKED, '$1');
