import { existsSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { makeFolder } from '../platform/files/make-folder.ts';
import { tryOr } from '../platform/try-or.ts';
import type { Places } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The person's home folder. */
export const homeOf = (environment: Environment): string =>
  environment['HOME']?.trim() ? environment['HOME'].trim() : homedir();

/** `~` and `~/…` mean the home folder; a relative path starts at `folder`. */
export const expandPath = (written: string, folder: string, home: string): string =>
  resolve(folder, /^~(\/|$)/.test(written) ? join(home, written.slice(1)) : written);

/**
 * Capstan's folders: all under `CAPSTAN_HOME` if it is set, else by the XDG base directory specification (a relative path
 * counts as not set).
 */
export function findPlaces(environment: Environment, cwd: string): Places {
  const home = homeOf(environment);
  const own = environment['CAPSTAN_HOME']?.trim();
  const place = (name: string, otherwise: string) => {
    if (own) return join(expandPath(own, cwd, home), name);
    const base = environment[`XDG_${name.toUpperCase()}_HOME`]?.trim();
    return join(base && isAbsolute(base) ? base : join(home, otherwise), 'capstan');
  };
  return {
    configDir: place('config', '.config'),
    dataDir: place('data', '.local/share'),
    stateDir: place('state', '.local/state'),
    cacheDir: place('cache', '.cache'),
  };
}

/** Creates missing folders, for their owner only. A folder that can't be created fails when it is written to. */
export function makePlaces(places: Places): void {
  for (const folder of Object.values(places)) {
    try {
      makeFolder(folder);
    } catch {}
  }
}

/** Files that only their owner may read, if they exist. */
const privateFiles = ({ configDir, stateDir }: Places): readonly string[] => [
  ...['config.yaml', 'policy.yaml', 'services.yaml', 'hooks.yaml', '.env', 'trust.json'].map(
    (name) => join(configDir, name),
  ),
  join(stateDir, 'capstan.db'),
];

/** A folder or file of the user that others may enter, read or change. */
export interface OpenPlace {
  readonly path: string;
  /** Permission bits that it has, and those that it should have. */
  readonly mode: number;
  readonly wanted: number;
}

/** One sentence for each folder or file that others may enter, read or change. */
export const findOpenPlaces = (places: Places): string[] => [
  ...wantedModes(places).flatMap(({ path }) =>
    isForeign(path) ? [`${path} belongs to another user, who can read and change it.`] : [],
  ),
  ...findOwnOpenPlaces(places).map(
    ({ path, mode, wanted }) =>
      `${path} is open to other users (mode ${mode.toString(8)}). Close it: chmod ${wanted.toString(8)} '${path}'`,
  ),
];

/** Those whose mode this user can change. */
export const findOwnOpenPlaces = (places: Places): OpenPlace[] =>
  wantedModes(places).flatMap(({ path, wanted }) => {
    const facts = look(path);
    const mode = (facts?.mode ?? 0) & 0o777;
    return (mode & 0o077) === 0 || isForeign(path) ? [] : [{ path, mode, wanted }];
  });

/** Folders that do not exist yet. */
export const missingPlaces = (places: Places): string[] =>
  Object.values(places).filter((path) => !existsSync(path));

const wantedModes = (places: Places): readonly Omit<OpenPlace, 'mode'>[] => [
  ...Object.values(places).map((path) => ({ path, wanted: 0o700 })),
  ...privateFiles(places).map((path) => ({ path, wanted: 0o600 })),
];

/** Root can use the files of everybody. */
function isForeign(path: string): boolean {
  const user = process.getuid?.();
  const facts = look(path);
  return facts !== undefined && user !== undefined && user !== 0 && facts.uid !== user;
}

/** A place that can't be read gives no notice: its use fails anyway. */
const look = (path: string): Stats | undefined =>
  tryOr(() => statSync(path, { throwIfNoEntry: false }), undefined);

/** The environment variables of this process. Child processes get separate variables, never these. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;
