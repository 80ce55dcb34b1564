import type { Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { type Match, type Matches, many, readWhole, searchLines } from '../file-tool.ts';
import { onlyText } from '../results/render-results.ts';
import { pathsIn, type Scope, scopesOf, shownScopes } from '../which-files.ts';

/** A text: the content of a file, or the result of an earlier step. */
export interface Source {
  readonly name: string;
  /** Undefined for the result of an earlier step. */
  readonly path: string | undefined;
  readonly content: string;
  readonly bytes: number;
}

/** Reads the texts that a step works on. */
export async function sourcesOf(
  step: Step,
  scopes: readonly Scope[] = scopesOf(step, false),
): Promise<readonly Source[]> {
  if (step.has('earlier')) {
    const { name, text: content } = onlyText(step.results);
    const bytes = Buffer.byteLength(content);
    return [{ name: `the result of ${name}`, path: undefined, content, bytes }];
  }
  const sources: Source[] = [];
  for (const path of await pathsIn(step, scopes))
    sources.push({ name: path, path, ...(await readWhole(step, path)) });
  return sources;
}

/** The lines of a text. A last line without a line break counts. */
export function linesOf(content: string): readonly string[] {
  const lines = content.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The numbered lines of a text. `path` is empty for an earlier result. */
export const textLines = (content: string, path = '', from = 1): readonly Match[] =>
  linesOf(content).map((text, at) => ({ path, line: from + at, text }));

/** What to find in lines. */
export interface Search {
  readonly pattern: string;
  readonly ignoreCase?: boolean;
}

/** Found lines and their place. */
export interface Found extends Matches {
  /** Description of the searched files. */
  readonly path: string;
  /** The same with what was not searched. */
  readonly place: string;
}

/** Finds matching lines in files, folders or the result of an earlier step. */
export async function findLines(
  step: Step,
  search: Search,
  scopes: readonly Scope[] = scopesOf(step),
): Promise<Found> {
  if (step.has('earlier')) {
    const [source] = await sourcesOf(step);
    const matches = linesMatching(source?.content ?? '', search);
    const path = source?.name ?? '';
    return { matches, total: matches.length, truncated: false, path, place: path };
  }
  const found: Matches[] = [];
  for (const scope of scopes) found.push(await searchLines(step, scope, search));
  return {
    matches: found.flatMap(({ matches }) => matches),
    total: found.reduce((sum, { total }) => sum + total, 0),
    truncated: found.some(({ truncated }) => truncated),
    path: shownScopes(scopes),
    place: `${shownScopes(scopes)}${leftOut(found)}`,
  };
}

/** Names the files that were not searched. */
function leftOut(found: readonly Matches[]): string {
  const skipped = found.flatMap((one) => one.skipped ?? []);
  const sum = (name: 'more_skipped' | 'ignored') =>
    found.reduce((total, one) => total + (one[name] ?? 0), 0);
  const [more, ignored] = [sum('more_skipped'), sum('ignored')];
  const all = [
    ...skipped.map(({ path, reason }) => `${path} (${reason})`),
    ...(more > 0 ? [many(more, 'more file')] : []),
    ...(ignored > 0 ? [`${many(ignored, 'path')} ignored by .gitignore or in node_modules`] : []),
  ];
  return all.length > 0 ? ` [not searched: ${all.join(', ')}]` : '';
}

/** Finds matching lines of a text. */
export function linesMatching(text: string, { pattern, ignoreCase }: Search): readonly Match[] {
  const expression = new RegExp(pattern, ignoreCase ? 'i' : '');
  return textLines(text).filter(({ text: line }) => expression.test(line));
}

/** Maximum length of all found lines, in characters. A result contains them more than once. */
const MAX_FOUND_CHARS = 500_000;

/** Finds all matching lines. @throws TaskError `INPUT_TOO_LARGE` if they do not fit into a result. */
export async function findAll(...args: Parameters<typeof findLines>): Promise<Found> {
  const found = await findLines(...args);
  const chars = found.matches.reduce((sum, { text }) => sum + text.length, 0);
  if (found.truncated || chars > MAX_FOUND_CHARS)
    fail('INPUT_TOO_LARGE', `${found.total} lines match in ${found.place}. Ask for fewer.`);
  return found;
}

/** Counts how often each text occurs. */
export function timesOf(texts: Iterable<string>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}
