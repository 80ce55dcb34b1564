/** The line of a value in a JSON text, from 1. For a missing value, the line of the nearest value around it. */
export type LineOf = (path: readonly PropertyKey[]) => number;

/** @param text Valid JSON. */
export function jsonLines(text: string): LineOf {
  let places: ReadonlyMap<string, number> | undefined;
  return (path) => {
    places ??= placesIn(text);
    for (let length = path.length; length >= 0; length--) {
      const index = places.get(keyOf(path.slice(0, length)));
      if (index !== undefined) return text.slice(0, index).split('\n').length;
    }
    return 1;
  };
}

/** Where each value begins, by the key of its path. */
function placesIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  try {
    note(text, { index: 0 }, [], places);
  } catch {
    // Nested too deeply: every value is reported in the first line.
  }
  return places;
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));

interface Cursor {
  index: number;
}

type Path = readonly (string | number)[];

/** Notes where a value and all within it begin; a member begins with its name. */
function note(text: string, at: Cursor, path: Path, places: Map<string, number>): void {
  skip(text, at, blank);
  if (!places.has(keyOf(path))) places.set(keyOf(path), at.index);
  const open = text[at.index];
  if (open === '{' || open === '[') noteInside(text, at, path, places);
  else skip(text, at, open === '"' ? string : plain);
}

function noteInside(text: string, at: Cursor, path: Path, places: Map<string, number>): void {
  const isObject = text[at.index] === '{';
  for (let member = 0; ; member++) {
    at.index += 1;
    skip(text, at, blank);
    if (text[at.index] === '}' || text[at.index] === ']') break;
    const within = [...path, isObject ? nameAt(text, at, path, places) : member];
    note(text, at, within, places);
    skip(text, at, blank);
    if (text[at.index] !== ',') break;
  }
  at.index += 1;
}

function nameAt(text: string, at: Cursor, path: Path, places: Map<string, number>): string {
  const start = at.index;
  skip(text, at, string);
  const name = JSON.parse(text.slice(start, at.index)) as string;
  places.set(keyOf([...path, name]), start);
  skip(text, at, colon);
  return name;
}

const blank = /\s*/y;
const colon = /\s*:/y;
const string = /"(?:[^"\\]|\\.)*"/y;
const plain = /[^\s,\]}]*/y;

function skip(text: string, at: Cursor, pattern: RegExp): void {
  pattern.lastIndex = at.index;
  at.index += pattern.exec(text)?.[0].length ?? 0;
}
