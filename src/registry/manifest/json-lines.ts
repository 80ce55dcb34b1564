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
/** Strings, marks and other words of a JSON text. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Of values whose lines are known. */
const MAX_DEPTH = 100;

type Path = readonly (string | number)[];

/** An object or array that is being read, with the name or index of its current member. */
interface Level {
  readonly path: Path;
  member: string | number | undefined;
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));

/** Where each value begins, by the key of its path; a member of an object begins with its name. */
function placesIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const levels: Level[] = [];
  const begin = (index: number): Path => {
    const { path, member } = levels.at(-1) ?? { path: [], member: undefined };
    const own = member === undefined ? path : [...path, member];
    if (!places.has(keyOf(own))) places.set(keyOf(own), index);
    return own;
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (levels.length > MAX_DEPTH) break;
    switch (token) {
      case '{':
        levels.push({ path: begin(index), member: undefined });
        break;
      case '[':
        levels.push({ path: begin(index), member: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        goOn(levels.at(-1));
        break;
      case ':':
        break;
      default:
        nameMember(levels.at(-1), token);
        begin(index);
    }
  }
  return places;
}
/** The next name of an object is not read yet. */
function goOn(level: Level | undefined): void {
  if (level) level.member = typeof level.member === 'number' ? level.member + 1 : undefined;
}

function nameMember(level: Level | undefined, token: string): void {
  if (level && level.member === undefined) level.member = JSON.parse(token) as string;
}
