import type { Edited } from './edit.ts';

/** The word before the cursor that can be completed. */
export interface Completable {
  readonly kind: 'command' | 'file';
  /** Without `/` or `@`. */
  readonly word: string;
  /** Its offset in the text, including `/`, or `@` and a quote. */
  readonly from: number;
}

/** A `/` at the beginning of the text, or an `@` at the beginning of a word. */
export function completableAt({ text, cursor }: Edited): Completable | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command) return { kind: 'command', word: command[1] ?? '', from: 0 };
  const [, typed = '', word = typed.slice(1)] = /(?:^|\s)(@(?:"([^"\n]*)|\S*))$/.exec(before) ?? [];
  return typed === '' ? undefined : { kind: 'file', word, from: cursor - typed.length };
}

/**
 * The text with the word replaced by the choice: a command with its slash, a file as its path. A folder keeps its `@`, so
 * that its files are completed next.
 */
export function complete(state: Edited, { kind, from }: Completable, chosen: string): Edited {
  const isFolder = kind === 'file' && chosen.endsWith('/');
  const word = kind === 'command' ? `/${chosen}` : isFolder ? openFolder(chosen) : quoted(chosen);
  const after = state.text.slice(state.cursor);
  const gap = isFolder || after.startsWith(' ') ? '' : ' ';
  const text = `${state.text.slice(0, from)}${word}${gap}${after}`;
  return { ...state, text, cursor: from + word.length + (isFolder ? 0 : 1) };
}

const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

/** In quotes that the name of a file in it closes, if it has a space. */
const openFolder = (path: string): string => (/\s/.test(path) ? `@"${path}` : `@${path}`);

/**
 * The text with the paths that were named with `@` as they are: `@src/cart.js` as `src/cart.js`, and `@"my files/` in quotes.
 */
export function withPaths(text: string, paths: readonly string[]): string {
  const inQuotes = text.replace(
    /(^|\s)@"([^"\n]*)"?/g,
    (whole: string, gap: string, rest: string) => {
      const [path] = paths
        .filter((one) => rest === one || (one.endsWith('/') && `${rest} `.startsWith(`${one} `)))
        .sort((a, b) => b.length - a.length);
      return path === undefined ? whole : `${gap}"${path}"${rest.slice(path.length)}`;
    },
  );
  return inQuotes.replace(/(^|\s)@(\S+)/g, (whole: string, gap: string, path: string) =>
    paths.includes(path) || paths.includes(`${path}/`) ? `${gap}${path}` : whole,
  );
}

/**
 * Returns the paths that match the typed word, best first: itself, those whose name begins with it, whose name contains it, whose
 * path contains it, and whose path has its letters in this order.
 */
export function matchingPaths(
  paths: readonly string[],
  word: string,
  limit: number,
): readonly string[] {
  const wanted = word.toLowerCase();
  const ranks: string[][] = [[], [], [], [], []];
  for (const path of paths) {
    const rank = path === word ? 0 : rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) ranks[rank]?.push(path);
  }
  return ranks.flatMap((rank) => rank.sort(byLength)).slice(0, limit);
}

const byLength = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : 1);

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.replace(/\/$/, '').lastIndexOf('/') + 1);
  if (name.startsWith(wanted) || path.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  let at = 0;
  for (const letter of path) if (letter === wanted[at]) at += 1;
  return at === wanted.length ? 4 : undefined;
}
