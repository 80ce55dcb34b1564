import type { ToolGrant } from '../../contract/permissions/grant.ts';

type Grants = Readonly<Record<string, ToolGrant>>;

/**
 * Intersects the requested grants with the grantable ones. Tools that are not grantable are left out, and so is each
 * operation and pattern that no grantable one certainly covers. A missing list requests nothing, and a tool without an
 * operation is left out.
 */
export function limitGrants(requested: Grants, most: Grants): Record<string, ToolGrant> {
  const granted = Object.entries(requested).flatMap(([tool, request]) => {
    const limit = Object.hasOwn(most, tool) ? most[tool] : undefined;
    if (limit === undefined) return [];
    const grant = limitGrant(request, limit);
    return grant.operations?.length === 0 ? [] : [[tool, grant] as const];
  });
  return Object.fromEntries(granted);
}

function limitGrant(request: ToolGrant, most: ToolGrant): ToolGrant {
  const operations = (request.operations ?? []).filter(
    (one) => most.operations?.includes(one) ?? true,
  );
  const lists = {
    operations,
    paths: limitList(request.paths, most.paths, coversPath),
    hosts: limitList(request.hosts, most.hosts, coversHost),
    commands: limitList(request.commands, most.commands, coversCommand),
  };
  const known = Object.entries(lists).filter(([, list]) => list !== undefined);
  return Object.fromEntries(known);
}

function limitList(
  request: readonly string[] | undefined,
  most: readonly string[] | undefined,
  covers: (limit: string, pattern: string) => boolean,
): string[] | undefined {
  if (most === undefined) return undefined;
  const exclusions = most.filter((one) => one.startsWith('!'));
  const limits = most.filter((one) => !one.startsWith('!'));
  const kept = (request ?? []).filter(
    (pattern) => pattern.startsWith('!') || limits.some((limit) => covers(limit, pattern)),
  );
  return [...new Set([...kept, ...exclusions])];
}

/** `**` covers every path in the workspace, `src/**` paths that begin with `src/`. */
function coversPath(limit: string, pattern: string): boolean {
  if (/^[/~\\]/.test(pattern) || pattern.split(/[\\/]/).includes('..')) return false;
  if (limit === pattern || limit === '**') return true;
  const folder = /^([\w./ -]+\/)\*\*$/.exec(limit)?.[1];
  return folder !== undefined && pattern.startsWith(folder) && !/[{(]/.test(pattern);
}

/** `*` covers any host, `*.example.com` every name below it. */
function coversHost(limit: string, pattern: string): boolean {
  const [most, request] = [limit.toLowerCase(), pattern.toLowerCase()];
  return (
    most === request || most === '*' || (most.startsWith('*.') && request.endsWith(most.slice(1)))
  );
}

/** `**` covers any command, `git **` commands that begin with the word `git`. */
function coversCommand(limit: string, pattern: string): boolean {
  const [most, request] = [limit.trim().split(/\s+/), pattern.trim().split(/\s+/)];
  if (most.at(-1) !== '**') return most.join(' ') === request.join(' ');
  const words = most.slice(0, -1);
  return words.every((word, i) => word === request[i] || (word === '*' && request[i] !== '**'));
}
