import { type DifferenceProblem, differenceNote } from '../../contract/text/difference-note.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { textDiff } from '../../platform/text/text-diff.ts';
import type { AgreedFile } from './agreed-files.ts';

/** How one file differs from its approved version. */
export interface FileChange {
  readonly path: string;
  readonly change: 'new' | 'changed' | 'removed';
  /** Hunks of a unified diff, each line with its line break; null if there are none to show. */
  readonly diff: string | null;
  readonly problem: DifferenceProblem | null;
}

const MAX_FILES = 50;
const MAX_LINES = 400;
const MAX_FILE_CHARS = 40_000;
const MAX_CHARS = 120_000;

/** Compares files with the approved ones, if these are known. At most 400 lines of each file, and 120,000 characters in all. */
export function fileChanges(
  before: readonly AgreedFile[] | undefined,
  after: readonly AgreedFile[],
): readonly FileChange[] {
  const old = new Map(before?.map((file) => [file.path, file]));
  const present = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...present.keys()])]
    .filter((path) => old.get(path)?.sha256 !== present.get(path)?.sha256)
    .sort(byWeight);
  let left = MAX_CHARS;
  return paths.map((path, index) => {
    const absent = before ? 'new' : 'changed';
    const change = compare(path, old.get(path), present.get(path), absent);
    if (change.diff === null) return change;
    if (index >= MAX_FILES || left <= 0) return { ...change, diff: null, problem: 'limit' };
    const diff = cut(change.diff, Math.min(left, MAX_FILE_CHARS));
    left -= diff.length;
    return { ...change, diff };
  });
}

/** The changes as text for a person: a line for each file, and its diff. No line of a file can imitate such a line. */
export const describeChanges = (changes: readonly FileChange[]): string =>
  changes.map((change) => `${headOf(change)}\n${escapeText(change.diff ?? '', true)}`).join('\n');

/** `changed skill.md`, with the reason if there is no diff. */
const headOf = ({ path, change, problem }: FileChange): string =>
  `${change} ${escapeText(path)}${problem === null ? '' : `: ${differenceNote(problem)}`}`;

/** @param absent The change of a file that is there, but not in the approved version. */
function compare(
  path: string,
  was: AgreedFile | undefined,
  is: AgreedFile | undefined,
  absent: 'new' | 'changed',
): FileChange {
  const change = is === undefined ? 'removed' : was ? 'changed' : absent;
  const unseen = (is ?? was)?.problem ?? null;
  if (unseen !== null) {
    const problem = unseen === 'not_kept' ? 'before_unknown' : unseen;
    return { path, change, diff: null, problem };
  }
  const isBeforeKnown = change !== 'changed' || typeof was?.text === 'string';
  const { diff, problem } = textDiff(path, bytesOf(was), bytesOf(is));
  if (diff === null) return { path, change, diff, problem };
  // From the first hunk on. Empty for an empty file.
  const hunks = diff.slice(/^@@/m.exec(diff)?.index ?? diff.length);
  return { path, change, diff: hunks, problem: isBeforeKnown ? null : 'before_unknown' };
}

const bytesOf = (file: AgreedFile | undefined): Buffer | undefined =>
  typeof file?.text === 'string' ? Buffer.from(file.text) : undefined;

/** The first lines of a diff, and the number of omitted lines: no line of a diff begins like that. */
function cut(diff: string, maxChars: number): string {
  const lines = diff.trimEnd().split('\n');
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length + 1;
    if (shown.length >= MAX_LINES || chars > maxChars) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`… and ${rest} more ${rest === 1 ? 'line' : 'lines'}`] : [];
  return diff === '' ? '' : `${[...shown, ...more].join('\n')}\n`;
}

/** Files with grants, rules and instructions come first. */
const first = ['capstan.yaml', 'capstan.policy.yaml', 'AGENTS.md', 'manifest.json', 'skill.md'];

const byWeight = (one: string, other: string): number =>
  weightOf(one) - weightOf(other) || (one < other ? -1 : 1);

function weightOf(path: string): number {
  const at = first.indexOf(path.slice(path.lastIndexOf('/') + 1));
  return at === -1 ? first.length : at;
}
