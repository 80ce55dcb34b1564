import { existsSync, realpathSync } from 'node:fs';
import { tryOr } from '../../platform/try-or.ts';
import { itemsOf } from '../kinds.ts';
import { expandPath } from '../places.ts';
import type { Settings } from '../settings.ts';
import { type Given, type Problem, problemOf } from './given.ts';
import type { Resolved } from './resolve.ts';

/** Finds settings whose values are valid alone, but not together or in this place. */
export function checkTogether(
  { values, winners }: Resolved,
  { places, workspace }: Pick<Settings, 'places' | 'workspace'>,
  home: string,
): Problem[] {
  const problems: Problem[] = [];
  const note = (given: Given | undefined, problem: string) => {
    if (given) problems.push(problemOf(given, problem));
  };
  const absolute = (written: string) => expandPath(written, workspace, home);
  const { CAPSTAN_ROUTE_TAKE: take, CAPSTAN_ROUTE_CREATE: create } = values;
  if (take !== undefined && create !== undefined && create > take)
    note(
      winners.get('CAPSTAN_ROUTE_CREATE'),
      `must not be above CAPSTAN_ROUTE_TAKE, which is ${take}. Lower it, or raise the other.`,
    );
  const broad = values.CAPSTAN_OPEN_PATHS?.find((written) =>
    [home, workspace].some((folder) => isAtOrAbove(absolute(written), folder)),
  );
  if (broad !== undefined)
    note(
      winners.get('CAPSTAN_OPEN_PATHS'),
      `"${broad}" would open every protected path below it. Name the file or folder itself.`,
    );
  const readable = winners.get('CAPSTAN_SANDBOX_READ');
  const missing = itemsOf(readable?.raw ?? [], /:+/).find(
    (written) => !/^[/~]/.test(written) || !existsSync(absolute(written)),
  );
  if (missing !== undefined)
    note(
      readable,
      `"${missing}" ${/^[/~]/.test(missing) ? 'does not exist' : 'is relative'}. Name a file or folder that exists, by its absolute path.`,
    );
  const revealing = values.CAPSTAN_SANDBOX_READ?.find((written) => {
    const path = real(absolute(written));
    const closed = Object.values(places).map(real);
    return (
      [...closed, real(home)].some((folder) => isAtOrAbove(path, folder)) ||
      closed.some((folder) => isAtOrAbove(folder, path))
    );
  });
  if (revealing !== undefined)
    note(
      readable,
      `"${revealing}" would show Capstan's own folders, or all of your home. Name the folder that programs need.`,
    );
  return problems;
}

const real = (path: string): string => tryOr(() => realpathSync(path), path);

const isAtOrAbove = (path: string, folder: string): boolean =>
  folder === path || folder.startsWith(path === '/' ? path : `${path}/`);
