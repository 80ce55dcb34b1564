import type { ToolCall } from './call.ts';

/** What a process that could only read the workspace is told. */
export interface ReadOnlyNote {
  readonly hint?: string;
  /** It said that it could not write. */
  readonly needs_write?: true;
}

export interface EndedProcess {
  readonly argv: readonly string[];
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const HINT =
  'The workspace could only be read. If it has to be changed, ask again with write access (`access: "write"`).';

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
  // What a command that succeeded prints may be the content of a file.
  const said = ended.exit_code === 0 ? ended.stderr : `${ended.stderr}\n${ended.stdout}`;
  const lines = said.split('\n').filter((line) => !field.test(line));
  const inside = lines.filter((line) => !isOutside(line, workspace));
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

/** Whether a message is about absolute paths alone, none of them in the workspace. */
function isOutside(line: string, workspace: string): boolean {
  // `/usr/bin/mkdir: cannot create …` begins with the program.
  if (line.includes(workspace)) return false;
  const message = line.replace(/^\S+: (?=.*[:'"‘“])/, '').split(' -> ', 1)[0] ?? '';
  const paths = [...message.matchAll(/(?:^|[\s'"‘“`(=:])(\/[^\s'"’”`:,)]+)/g)].map(
    ([, path]) => path,
  );
  return paths.length > 0 && !paths.some((path) => path?.startsWith('/workspace'));
}
