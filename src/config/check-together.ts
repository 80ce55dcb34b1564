import { describeGiven, type Problem } from './given.ts';
import { expandPath } from './places.ts';
import type { Resolved } from './resolve.ts';

/** What is wrong with values that are right one by one. */
export function checkTogether(
  { values, winners }: Resolved,
  workspace: string,
  home: string,
): Problem[] {
  const problems: Problem[] = [];
  const { CAPSTAN_ROUTE_TAKE: take, CAPSTAN_ROUTE_CREATE: create } = values;
  const route = winners.get('CAPSTAN_ROUTE_CREATE');
  if (route && take !== undefined && create !== undefined && create > take)
    problems.push({
      where: describeGiven(route),
      problem: `must not be above CAPSTAN_ROUTE_TAKE, which is ${take}. Lower it, or raise the other.`,
    });
  const open = winners.get('CAPSTAN_OPEN_PATHS');
  const broad = values.CAPSTAN_OPEN_PATHS?.find((written) => {
    const path = expandPath(written, workspace, home);
    return isAtOrAbove(path, home) || isAtOrAbove(path, workspace);
  });
  if (open && broad !== undefined)
    problems.push({
      where: describeGiven(open),
      problem: `"${broad}" would open every protected path below it. Name the file or folder itself.`,
    });
  return problems;
}

const isAtOrAbove = (path: string, folder: string): boolean =>
  folder === path || folder.startsWith(path === '/' ? path : `${path}/`);
