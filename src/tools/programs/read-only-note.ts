import { resolve } from 'node:path';
import { isInside } from '../../platform/files/inside.ts';
import type { ToolCall } from '../define/call.ts';

/** A note for a process that could only read the workspace. */
interface ReadOnlyNote {
  readonly hint?: string;
  /** Its output says that it could not write. */
  readonly needs_write?: true;
}

export interface EndedProcess {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  /** If its output is what it was run for. */
  readonly stdoutBytes?: number | undefined;
  /** Where it ran, absolute. */
  readonly folder: string;
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const TO_WRITE = 'To change files, a command needs write access.';
const HINT = `The workspace could only be read. ${TO_WRITE}`;
/** After a success that may hide that nothing was written. */
const DONE = `It ran with the workspace read-only: it could not change files. ${TO_WRITE}`;

/** Messages about a file system that can't be written, by isolation level. */
const refusals = {
  A: /read-only file system|\bEROFS\b/i,
  B: /permission denied|\bEACCES\b/i,
} as const;
/** Other messages of SQLite, Git and tar. */
const otherRefusals =
  /attempt to write a readonly database|unable to open database file|^error: cannot open "|unable to create temporary object|cannot save the current (?:index|worktree) state|^tar: .*: cannot (?:unlink|open: file exists|mkdir|read: bad file descriptor)/i;
/** Messages about a path that could not be used. */
const pathProblem =
  /read-only file system|permission denied|not permitted|no such file|not a directory|\bE(?:ROFS|ACCES|PERM|NOENT|NOTDIR)\b/i;

/** A field of an error that Node or npm prints after its message. */
const field = /^\s*(?:npm \S+ )?(?:code|errno|syscall|path):? /;

/**
 * Says how to request write access, if a process with access "read" failed or could not write, or may hide that. Empty if
 * only paths outside the workspace failed: write access would not help there.
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
  if (ended.exit_code === 0) return mayHideFailure(ended) ? { hint: DONE } : {};
  const problems = lines.filter((line) => pathProblem.test(line));
  const isAllOutside = problems.length > 0 && problems.every((line) => !inside.includes(line));
  return isAllOutside ? {} : { hint: HINT };
}

const mayHideFailure = ({ argv, stdoutBytes }: EndedProcess): boolean =>
  stdoutBytes === undefined && !isKnownReader(argv);

/** A command has no more words than this before `stash`. */
const MAX_COMMAND_CHARS = 4_096;

/** `git stash` says nothing if it can't write its index. */
const failsSilently = ({ argv, exit_code, stdout, stderr }: EndedProcess): boolean =>
  exit_code !== 0 &&
  `${stdout}${stderr}`.trim() === '' &&
  /(?:^|[\s/])git\s(?:.*\s)?stash(?! (?:list|show)\b)/.test(
    argv.join(' ').slice(0, MAX_COMMAND_CHARS),
  );

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

/** Commands that change no file. Others may fail to change one, and hide it: a script, a build, a test. */
const readers = new RegExp(
  [
    '(?:\\[\\[?|:|basename|cat|cd|cksum|cmp|column|comm|cut|df|diff|dirname|du|echo|egrep|exit|false|fgrep|file|grep)(?:\\s|$)',
    '(?:head|id|join|jq|ls|md5sum|nl|od|paste|printenv|printf|ps|pwd|readlink|realpath|rev|rg|seq|sha1sum|sha256sum)(?:\\s|$)',
    '(?:sleep|stat|strings|tac|tail|test|tr|true|type|uname|wc|which|whoami)(?:\\s|$)',
    'sed -n(?:\\s|$)',
    'find(?!\\S)(?!.*\\s-(?:delete|exec|fprint|fls|ok))',
    'sort(?!\\S)(?!.*\\s-(?:\\w*o|-output))',
    'git (?:(?:-[cC] \\S+|--no-pager) )*(?:blame|cat-file|describe|diff|grep|log|ls-files|rev-list|rev-parse|shortlog|show|status)(?:\\s|$)',
    '(?:git branch(?: --?(?:list|show-current|all|a|v)\\b.*)?|\\S+ (?:--version|--help|-v|-V))$',
  ]
    .map((one) => `^(?:(?:\\w+=\\S*|if|then|elif|else|while|do|!) )*${one}`)
    .join('|'),
);

/** Quoted words without a command in them, and output that is discarded or joined. */
const harmless = /"[^"`$]*"|'[^']*'|(?:\d|&)?>>?\s*\/dev\/null|\d?>&\d/g;
const MAX_CHARS = 10_000;

/** Whether every command of an argv, or of the shell string that bash gets, is known to change no file. */
export function isKnownReader(argv: readonly string[]): boolean {
  const [program, option, text = ''] = argv;
  if (program !== 'bash' || option !== '-c') return readers.test(argv.join(' '));
  const plain = text.replace(harmless, '""');
  if (text.length > MAX_CHARS || plain.includes('>')) return false;
  const commands = plain.split(/[|&;\n(){}`]+/).map((one) => one.trim());
  return commands.every(
    (one) =>
      one === '' || /^(?:""|fi|done|then|else|do|for \w+ in .*)$/.test(one) || readers.test(one),
  );
}
