import type { Edited } from './edit.ts';

/** The word before the cursor that can be completed. */
export interface Completable {
  readonly kind: 'command' | 'file';
  /** Without `/` or `@`. */
  readonly word: string;
  /** Its offset in the text, including `/` or `@`. */
  readonly from: number;
}

/** A `/` at the beginning of the text, or an `@` at the beginning of a word. */
export function completableAt({ text, cursor }: Edited): Completable | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command) return { kind: 'command', word: command[1] ?? '', from: 0 };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  const word = file?.[1];
  return word === undefined ? undefined : { kind: 'file', word, from: cursor - word.length - 1 };
}

/**
 * The text with the word replaced by the choice: a command with its slash, a file as its path. A folder keeps its `@`, so
 * that its files are completed next.
 */
export function complete(state: Edited, { kind, from }: Completable, chosen: string): Edited {
  const isFolder = kind === 'file' && /^\S+\/$/.test(chosen);
  const word = kind === 'command' ? `/${chosen}` : isFolder ? `@${chosen}` : quoted(chosen);
  const after = state.text.slice(state.cursor);
  const gap = isFolder || after.startsWith(' ') ? '' : ' ';
  const text = `${state.text.slice(0, from)}${word}${gap}${after}`;
  return { ...state, text, cursor: from + word.length + (isFolder ? 0 : 1) };
}

const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

/**
 * Returns the paths that match the typed word, best first: those whose name begins with it, whose name contains it, whose
 * path contains it, and whose path has its letters in this order.
 */
export function matchingPaths(
  paths: readonly string[],
  word: string,
  limit: number,
): readonly string[] {
  const wanted = word.toLowerCase();
  const ranks: string[][] = [[], [], [], []];
  for (const path of paths) {
    const rank = path === word ? undefined : rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) ranks[rank]?.push(path);
  }
  return ranks.flatMap((rank) => rank.sort(byLength)).slice(0, limit);
}

const byLength = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : 1);

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.replace(/\/$/, '').lastIndexOf('/') + 1);
  if (name.startsWith(wanted) || path.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  let at = 0;
  for (const letter of path) if (letter === wanted[at]) at += 1;
  return at === wanted.length ? 3 : undefined;
}
