import { resolve } from 'node:path';
import type { ToolCall } from '../define/call.ts';
import { isInside } from '../files/paths.ts';

/** What a process that could only read the workspace is told. */
export interface ReadOnlyNote {
  readonly hint?: string;
  /** It said that it could not write. */
  readonly needs_write?: true;
}

export interface EndedProcess {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  /** Where it ran, absolute. */
  readonly folder: string;
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const HINT = 'The workspace could only be read. To change it, a command needs write access.';

/** What programs say of a file system that can't be written, by level. */
const refusals = {
  A: /read-only file system|\bEROFS\b/i,
  B: /permission denied|\bEACCES\b/i,
} as const;
/** What SQLite, Git and tar say instead. */
const otherRefusals =
  /attempt to write a readonly database|unable to open database file|^error: cannot open "|unable to create temporary object|cannot save the current (?:index|worktree) state|^tar: .*: cannot (?:unlink|open: file exists|mkdir|read: bad file descriptor)/i;
/** What programs say of a path that they could not use. */
const pathProblem =
  /read-only file system|permission denied|not permitted|no such file|not a directory|\bE(?:ROFS|ACCES|PERM|NOENT|NOTDIR)\b/i;

/** A field of an error that Node or npm prints after its message. */
const field = /^\s*(?:npm \S+ )?(?:code|errno|syscall|path):? /;

/**
 * How to ask for writing, for a process with the access "read" that failed or said that it could not write. Nothing if
 * only paths outside the workspace failed: there, more access does not help.
 */
export function readOnlyNote(ended: EndedProcess, { context }: ToolCall): ReadOnlyNote {
  const { workspace } = context;
  const { level } = context.sandbox;
  if (level !== 'A' && level !== 'B') return {};
  const command = `${ended.argv.join(' ')} ${ended.stdin ?? ''}`;
  const folder = changesFolder.test(command) ? undefined : ended.folder;
  // What a command that succeeded prints may be the content of a file.
  const said = ended.exit_code === 0 ? ended.stderr : `${ended.stderr}\n${ended.stdout}`;
  const lines = said.split('\n').filter((line) => !field.test(line));
  const inside = lines.filter((line) => !isOutside(line, workspace, folder));
  const needsWrite =
    inside.some((line) => refusals[level].test(line) || otherRefusals.test(line)) ||
    failsSilently(ended);
  if (needsWrite) return { hint: HINT, needs_write: true };
  const problems = lines.filter((line) => pathProblem.test(line));
  const isAllOutside = problems.length > 0 && problems.every((line) => !inside.includes(line));
  return ended.exit_code === 0 || isAllOutside ? {} : { hint: HINT };
}

/** `git stash` says nothing if it can't write its index. */
const failsSilently = ({ argv, exit_code, stdout, stderr }: EndedProcess): boolean =>
  exit_code !== 0 &&
  `${stdout}${stderr}`.trim() === '' &&
  /(?:^|[\s/])git\s(?:.*\s)?stash(?! (?:list|show)\b)/.test(argv.join(' '));

/** After it, a relative path in a message may begin anywhere. */
const changesFolder = /\b(?:cd|chdir|pushd)\b|\s(?:-C|--(?:prefix|directory))\b/;

/**
 * Whether a message is about paths outside the workspace alone: absolute ones, and relative ones with `..`.
 *
 * @param folder Where relative paths begin; undefined if that is not known.
 */
function isOutside(line: string, workspace: string, folder: string | undefined): boolean {
  if (line.includes(workspace)) return false;
  // `/usr/bin/mkdir: cannot create …` begins with the program.
  const message = line.replace(/^\S+: (?=.*[:'"‘“])/, '').split(' -> ', 1)[0] ?? '';
  const words = [...message.matchAll(/(?:^|[\s'"‘“`(=:])([^\s'"‘“’”`(=:,)]+)/g)];
  const paths = words.flatMap(([, word = '']) => {
    if (word.startsWith('/')) return [word];
    const isUp = folder !== undefined && /(?:^|\/)\.\.(?:\/|$)/.test(word);
    return isUp ? [resolve(folder, word)] : [];
  });
  return (
    paths.length > 0 &&
    !paths.some((path) => isInside(workspace, path) || path.startsWith('/workspace'))
  );
}
