import { posix } from 'node:path';
import { grantsShell, type ToolGrant } from '../../contract/permissions/grant.ts';
import type { Granted } from '../../contract/permissions/granted.ts';
import { ANY_NAME, pathGlob } from '../names/glob.ts';
import { hostOf, matchesHost, parseHostPattern } from '../names/host-name.ts';

/** Operations are granted by their short name (`read`) or in full (`file_io.read`); left out: all of them. */
export function grantsOperation(grant: ToolGrant, operation: string): boolean {
  if (grant.operations === undefined) return true;
  const short = operation.slice(operation.indexOf('.') + 1);
  return grant.operations.some((name) => name === operation || name === short);
}

/**
 * @param path Relative to the workspace, with `/`; `.` is the workspace.
 * @param subtree True: everything below the path must be granted, too.
 */
export function grantsPath(grant: ToolGrant, path: string, subtree = false): boolean {
  const patterns = grant.paths ?? [];
  const exclusions = patterns.filter((pattern) => pattern.startsWith('!'));
  const inclusions = patterns.filter((pattern) => !pattern.startsWith('!'));
  if (subtree && exclusions.length > 0) return false;
  if (exclusions.some((pattern) => pathGlob(pattern.slice(1))(path))) return false;
  const wanted = subtree ? posix.join(path, ANY_NAME) : path;
  return inclusions.some((pattern) => pathGlob(pattern)(wanted));
}

/** `example.com`, `*.example.com` (every name below it), `*`; a port is granted only if it is named. */
export function grantsHost({ hosts = [] }: ToolGrant, url: URL): boolean {
  const host = hostOf(url);
  return hosts.some((text) => {
    const pattern = parseHostPattern(text);
    return pattern !== undefined && matchesHost(pattern, host, false);
  });
}

/** Word by word: `*` matches one word, `**` all following words. */
export function grantsArgv(grant: ToolGrant, argv: readonly string[]): boolean {
  return (grant.commands ?? []).some((pattern) =>
    matchesArgv(pattern.trim().split(/\s+/), argv, true),
  );
}

/**
 * One pattern of words, split at blanks.
 *
 * @param isWide Whether `*` also matches an option: a word that begins with `-` and is longer.
 */
export function matchesArgv(
  pattern: readonly string[],
  argv: readonly string[],
  isWide: boolean,
): boolean {
  for (const [at, word] of pattern.entries()) {
    if (word === '**' && at === pattern.length - 1) return true;
    const given = argv[at];
    const isAny = word === '*' && (isWide || given === undefined || !isOption(given));
    if (given === undefined || (!isAny && word !== given)) return false;
  }
  return pattern.length === argv.length;
}

/** A lone `-` stands for the standard input. */
const isOption = (word: string): boolean => /^-./s.test(word);

/** A grant in a form for tools, which offer no more than it allows. */
export function grantedBy(grant: ToolGrant, services: readonly string[]): Granted {
  const { paths = [], hosts = [] } = grant;
  return {
    can: (operation) => grantsOperation(grant, operation),
    hasShell: grantsShell(grant),
    hasHosts: hosts.length > 0,
    hasPaths: paths.length > 0,
    hasServices: services.length > 0,
    limits: limitsOf(grant),
  };
}

/** A list that allows everything or nothing does not limit an argument. */
function limitsOf({ paths = [], hosts = [], commands = [] }: ToolGrant): string {
  const lists = [
    ['paths', paths, '**'],
    ['hosts', hosts, '*'],
    ['commands', commands, '**'],
  ] as const;
  return lists
    .filter(([, patterns, all]) => patterns.length > 0 && !(patterns as string[]).includes(all))
    .map(([name, patterns]) => `Granted ${name}: ${patterns.join(', ')}.`)
    .join(' ');
}
