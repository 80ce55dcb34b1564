import type { ToolGrant } from '../../contract/grant.ts';

type Grants = Readonly<Record<string, ToolGrant>>;

/**
 * What is wished for, as far as it may be granted: tools that may not be are left out, and so is each operation and
 * pattern that no granted one surely covers. A list that is left out of a wish means all that may be granted.
 */
export function limitGrants(wished: Grants, most: Grants): Record<string, ToolGrant> {
  const granted = Object.entries(wished).flatMap(([tool, wish]) => {
    const limit = Object.hasOwn(most, tool) ? most[tool] : undefined;
    return limit ? [[tool, limitGrant(wish, limit)] as const] : [];
  });
  return Object.fromEntries(granted);
}

function limitGrant(wish: ToolGrant, most: ToolGrant): ToolGrant {
  const operations = most.operations
    ? (wish.operations ?? most.operations).filter((one) => most.operations?.includes(one))
    : wish.operations;
  const lists = {
    operations,
    paths: limitList(wish.paths, most.paths, coversPath),
    hosts: limitList(wish.hosts, most.hosts, coversHost),
    commands: limitList(wish.commands, most.commands, coversCommand),
  };
  const known = Object.entries(lists).filter(([, list]) => list !== undefined);
  return Object.fromEntries(known);
}

function limitList(
  wish: readonly string[] | undefined,
  most: readonly string[] | undefined,
  covers: (limit: string, pattern: string) => boolean,
): string[] | undefined {
  if (most === undefined) return undefined;
  const exclusions = most.filter((one) => one.startsWith('!'));
  const limits = most.filter((one) => !one.startsWith('!'));
  const kept = (wish ?? limits).filter(
    (pattern) => pattern.startsWith('!') || limits.some((limit) => covers(limit, pattern)),
  );
  return [...new Set([...kept, ...exclusions])];
}

/** `**` covers what stays in the workspace, `src/**` what begins with `src/`. */
function coversPath(limit: string, pattern: string): boolean {
  if (/^[/~\\]/.test(pattern) || pattern.split(/[\\/]/).includes('..')) return false;
  if (limit === pattern || limit === '**') return true;
  const folder = /^([\w./ -]+\/)\*\*$/.exec(limit)?.[1];
  return folder !== undefined && pattern.startsWith(folder) && !/[{(]/.test(pattern);
}

/** `*` covers any host, `*.example.com` every name below it. */
function coversHost(limit: string, pattern: string): boolean {
  const [most, wish] = [limit.toLowerCase(), pattern.toLowerCase()];
  return most === wish || most === '*' || (most.startsWith('*.') && wish.endsWith(most.slice(1)));
}

/** `**` covers any command, `git **` what begins with the word `git`. */
function coversCommand(limit: string, pattern: string): boolean {
  const [most, wish] = [limit.trim().split(/\s+/), pattern.trim().split(/\s+/)];
  if (most.at(-1) !== '**') return most.join(' ') === wish.join(' ');
  const words = most.slice(0, -1);
  return words.every((word, i) => word === wish[i] || (word === '*' && wish[i] !== '**'));
}
