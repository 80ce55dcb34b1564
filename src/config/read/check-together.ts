import { existsSync, realpathSync } from 'node:fs';
import type { Raw } from '../kinds.ts';
import { expandPath } from '../places.ts';
import type { Places } from '../settings.ts';
import { type Problem, problemOf } from './given.ts';
import type { Resolved } from './resolve.ts';

interface Around {
  readonly places: Places;
  readonly workspace: string;
  readonly home: string;
}

/** What is wrong with values that are right one by one. */
export function checkTogether(
  { values, winners }: Resolved,
  { places, workspace, home }: Around,
): Problem[] {
  const problems: Problem[] = [];
  const { CAPSTAN_ROUTE_TAKE: take, CAPSTAN_ROUTE_CREATE: create } = values;
  const route = winners.get('CAPSTAN_ROUTE_CREATE');
  if (route && take !== undefined && create !== undefined && create > take)
    problems.push(
      problemOf(
        route,
        `must not be above CAPSTAN_ROUTE_TAKE, which is ${take}. Lower it, or raise the other.`,
      ),
    );
  const open = winners.get('CAPSTAN_OPEN_PATHS');
  const broad = values.CAPSTAN_OPEN_PATHS?.find((written) => {
    const path = expandPath(written, workspace, home);
    return isAtOrAbove(path, home) || isAtOrAbove(path, workspace);
  });
  if (open && broad !== undefined)
    problems.push(
      problemOf(
        open,
        `"${broad}" would open every protected path below it. Name the file or folder itself.`,
      ),
    );
  const readable = winners.get('CAPSTAN_SANDBOX_READ');
  const lost = listOf(readable?.raw).find(
    (written) => !/^[/~]/.test(written) || !existsSync(expandPath(written, workspace, home)),
  );
  if (readable && lost !== undefined)
    problems.push(
      problemOf(
        readable,
        `"${lost}" is ${/^[/~]/.test(lost) ? 'not there' : 'relative'}. Name a file or folder that exists, by its absolute path.`,
      ),
    );
  const telling = values.CAPSTAN_SANDBOX_READ?.find((written) => {
    const path = real(expandPath(written, workspace, home));
    const closed = Object.values(places).map(real);
    return (
      [...closed, real(home)].some((folder) => isAtOrAbove(path, folder)) ||
      closed.some((folder) => isAtOrAbove(folder, path))
    );
  });
  if (readable && telling !== undefined)
    problems.push(
      problemOf(
        readable,
        `"${telling}" would show Capstan's own folders, or all of your home. Name the folder that programs need.`,
      ),
    );
  return problems;
}

/** The paths as they were written, in one line or as a list. */
const listOf = (raw: Raw = []): readonly string[] =>
  (typeof raw === 'string' ? raw.split(/:+/) : raw).map((one) => one.trim()).filter(Boolean);

/** Links followed, where it is there. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const isAtOrAbove = (path: string, folder: string): boolean =>
  folder === path || folder.startsWith(path === '/' ? path : `${path}/`);
