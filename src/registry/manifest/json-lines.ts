import { once } from '../../platform/once.ts';

/** The line of a value in a JSON text, from 1. For a missing value, the line of the nearest value around it. */
export type LineOf = (path: readonly PropertyKey[]) => number;

/** @param text Valid JSON. */
export function jsonLines(text: string): LineOf {
  const places = once(() => placesIn(text));
  return (path) => {
    for (let length = path.length; length >= 0; length--) {
      const index = places().get(keyOf(path.slice(0, length)));
      if (index !== undefined) return text.slice(0, index).split('\n').length;
    }
    return 1;
  };
}

/** Strings, marks and other words of a JSON text. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Of values whose lines are known. */
const MAX_DEPTH = 100;

/** The name or index of the current member of each open object and array; undefined where the next token is a name. */
type Path = (string | number | undefined)[];

const keyOf = (path: readonly (PropertyKey | undefined)[]): string =>
  JSON.stringify(path.map(String));

/** Where each value begins, by the key of its path. */
function placesIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const path: Path = [];
  const begin = (index: number) => places.set(keyOf(path), places.get(keyOf(path)) ?? index);
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (path.length > MAX_DEPTH) break;
    switch (token) {
      case '{':
      case '[':
        begin(index);
        path.push(token === '[' ? 0 : undefined);
        break;
      case '}':
      case ']':
        path.pop();
        break;
      case ',':
        path.push(nextMember(path.pop()));
        break;
      case ':':
        break;
      default:
        // A member of an object begins with its name.
        if (path.length > 0) path.push(path.pop() ?? (JSON.parse(token) as string));
        begin(index);
    }
  }
  return places;
}

const nextMember = (member: Path[number]): number | undefined =>
  typeof member === 'number' ? member + 1 : undefined;
