import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../../platform/files/inside.ts';
import { isProgram } from '../../platform/files/is-program.ts';
import { readStart } from '../../platform/files/plain-file.ts';
import { tryOr } from '../../platform/try-or.ts';

/** A command that has ended. */
interface Ended {
  readonly argv: readonly [string, ...string[]];
  /** Where it ran, absolute. */
  readonly folder: string;
  readonly stderr: string;
  readonly stdin?: string | undefined;
}

const MAX_NAMES = 20;
const MAX_NAME_CHARS = 4_096;

/** Names a program of the person that a command can't see, and the setting that opens its folder. */
export function hiddenProgramHint(ended: Ended, sight: Sight): string | undefined {
  const names = [...new Set([...startedBy(ended.argv), ...missedBy(ended)])];
  const short = names.filter(({ length }) => length <= MAX_NAME_CHARS);
  for (const name of short.slice(0, MAX_NAMES)) {
    const hidden = findHiddenProgram(name, ended.folder, sight);
    if (hidden === undefined) continue;
    const { path, folders } = hidden;
    return `Commands can't see "${shown(path)}", which "${name}" stands for outside the sandbox; if there is another one, that was used. To open it to commands, add ${folders.map(shown).join(' and ')} to the setting CAPSTAN_SANDBOX_READ.`;
  }
  return undefined;
}

/** The programs that a command starts; for a shell, those of its command line. */
function startedBy([program, ...args]: readonly [string, ...string[]]): readonly string[] {
  const line = /^(?:ba|da|z|k)?sh$/.test(program) && args[0] === '-c' ? args[1] : undefined;
  if (line === undefined) return [program];
  return line.split(/[\n;&|(){}`]+/).flatMap((command) => {
    const words = command.trim().split(/\s+/);
    const name = words.find((word) => !/^(\w+=.*|exec|env|time|then|do|else|!)$/.test(word));
    return name !== undefined && /^[\w./+@-]+$/.test(name) ? [name] : [];
  });
}

/**
 * The messages of shells, env, make and Python about a missing program. A name is matched only from its start: with one long
 * word as output, anything else takes minutes.
 */
const missing = [
  /(?<![\w./+@-])([\w./+@-]+)['’"]?: (?:command )?not found/g,
  /(?<![\w./+@-])([\w./+@-]+)['’"]?: No such file or directory/g,
  /No such file or directory: '([^']+)'/g,
  /(?<![\w./+@-])([\w./+@-]+): (?:cannot execute|[^:\n]+: bad interpreter)/g,
];

/** The programs that the output reports as missing. Only words of the command count: it may print any name. */
function missedBy({ argv, stdin = '', stderr }: Ended): readonly string[] {
  const words = new Set(`${argv.join(' ')} ${stdin}`.split(/\\[nrt]|[^\w./+@-]+/));
  return missing
    .flatMap((pattern) => [...stderr.matchAll(pattern)].map(([, name = '']) => name))
    .filter((name) => words.has(name));
}

/** With `~` for the home. */
const shown = (path: string): string =>
  isInside(homedir(), path) ? `~${path.slice(homedir().length)}` : path;

/** The environment of a command, and what it can see of the machine. */
interface Sight {
  /** Absolute. */
  readonly workspace: string;
  /** Folders separated by colons, as the person has them. */
  readonly searchPath: string;
  /** As `Sandbox.sees`. */
  sees(path: string): boolean;
}

/** A program that the person has and that a command can't start. */
interface HiddenProgram {
  readonly path: string;
  /** Folders that would have to be opened for it, absolute. */
  readonly folders: readonly string[];
}

const MAX_LINKS = 40;
/** An interpreter may be a script itself. */
const MAX_DEPTH = 4;

/**
 * The program that a name means outside the sandbox, if it is in a folder that commands can't see, or if its links or its
 * first line lead to one. Of paths in the workspace, only the parts that a command can see are examined.
 *
 * @param folder The start of relative paths, absolute.
 */
function findHiddenProgram(name: string, folder: string, sight: Sight): HiddenProgram | undefined {
  if (!name.includes('/')) return findInPath(name, sight);
  const path = resolve(folder, name);
  return isInside(sight.workspace, path) ? findBehind(path, sight) : undefined;
}

function findInPath(name: string, sight: Sight): HiddenProgram | undefined {
  const path = sight.searchPath
    .split(':')
    .map((folder) => join(folder, name))
    .find((one) => one.startsWith('/') && isProgram(one));
  if (path === undefined || isOwnNode(path)) return undefined;
  if (isSeen(path, sight)) return findBehind(path, sight);
  const folders = [path, realpathSync(path)].filter((one) => !isSeen(one, sight)).map(folderOf);
  return { path, folders: [...new Set(folders)] };
}

/** The folders that would have to be opened for all programs of a search path and for an interpreter in the workspace. */
export function hiddenFolders(sight: Sight): readonly string[] {
  const folders = sight.searchPath
    .split(':')
    .filter((folder) => folder.startsWith('/') && !isSeen(folder, sight) && holdsProgram(folder))
    .map((folder) => folderOf(join(folder, 'program')));
  const interpreters = ['.venv/bin/python', 'venv/bin/python'].flatMap(
    (name) => findBehind(join(sight.workspace, name), sight)?.folders ?? [],
  );
  const all = [...new Set([...folders, ...interpreters])];
  return all.filter((one) => !all.some((other) => other !== one && isInside(other, one)));
}

const holdsProgram = (folder: string): boolean =>
  tryOr(() => readdirSync(folder), []).some((name) => isProgram(join(folder, name)));

/** Follows links for as long as they can be seen, and then the interpreter in the first line. */
function findBehind(path: string, sight: Sight, depth = 0): HiddenProgram | undefined {
  let at = path;
  for (let count = 0; count < MAX_LINKS; count += 1) {
    if (!isSeen(at, sight)) return { path: at, folders: [folderOf(at)] };
    const next = followed(at);
    if (next === undefined) break;
    at = next;
  }
  const [, interpreter = '', argument] = /^#!\s*(\S+)(?:\s+(\S+))?/.exec(firstLineOf(at)) ?? [];
  if (basename(interpreter) === 'env') return argument ? findInPath(argument, sight) : undefined;
  const isFollowed = interpreter.startsWith('/') && depth < MAX_DEPTH;
  return isFollowed ? findBehind(interpreter, sight, depth + 1) : undefined;
}

const isSeen = (path: string, { workspace, sees }: Sight): boolean =>
  isInside(workspace, path) || sees(path);

/** Every sandbox has it. */
const isOwnNode = (path: string): boolean => realpathSync(path) === realpathSync(process.execPath);

const programFolders: ReadonlySet<string> = new Set(['bin', 'sbin', 'shims', 'libexec']);
/** Folders that are too large to be opened for one program. */
const tooWide = /^(\/|\/home|\/Users|\/root|\/(home|Users)\/[^/]+|.*\/\.local)$/;

/** The folder of a program: the one around `bin`, unless that is a whole home. */
function folderOf(path: string): string {
  const folder = dirname(path);
  const around = dirname(folder);
  if (programFolders.has(basename(folder)) && !tooWide.test(around)) return around;
  return tooWide.test(folder) ? path : folder;
}

/** The path after the first link in it is resolved; undefined if there is none. */
function followed(path: string): string | undefined {
  for (let end = path.indexOf('/', 1); end !== 0; end = path.indexOf('/', end + 1)) {
    const part = end < 0 ? path : path.slice(0, end);
    const target = tryOr(() => readlinkSync(part), undefined);
    if (target !== undefined) return join(resolve(dirname(part), target), path.slice(part.length));
    if (end < 0) break;
  }
  return undefined;
}

/** The kernel reads only so much of the first line, in bytes. */
const MAX_BYTES = 256;

/** The first line of a file; empty if it can't be read. */
const firstLineOf = (path: string): string =>
  tryOr(() => readStart(path, MAX_BYTES), undefined)
    ?.toString('latin1')
    .split('\n', 1)[0] ?? '';
