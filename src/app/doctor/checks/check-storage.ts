import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from '../../../config/settings.ts';
import { failedWith, messageOf } from '../../../contract/errors.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn, fail } = checksOf('storage');

/** Capstan's four folders: existing or creatable, writable, closed to other users. */
export function checkPlaces({ configDir, dataDir, stateDir, cacheDir }: Places): Check[] {
  return [
    checkPlace('settings folder', configDir, warn),
    checkPlace('data folder', dataDir, warn),
    checkPlace('state folder', stateDir, fail),
    checkPlace('cache folder', cacheDir, warn),
  ];
}

/** @param unusable What a folder is that can't be written: a run needs only the state folder. */
function checkPlace(name: string, path: string, unusable: typeof fail): Check {
  const fix = `Make ${path} a folder that you can write to, or set CAPSTAN_HOME to another one.`;
  const nearest = nearestExisting(path);
  try {
    if (!statSync(nearest).isDirectory()) return unusable(name, `${nearest} is not a folder`, fix);
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    return unusable(name, `${nearest} can't be written (${messageOf(error)})`, fix);
  }
  if (isFull(nearest)) return unusable(name, `the disk of ${nearest} is full`, 'Free space there.');
  if (nearest !== path) return ok(name, `${path} (created when it is needed)`);
  const mode = statSync(path).mode & 0o777;
  const found = `${path} (mode ${mode.toString(8)})`;
  return (mode & 0o077) === 0
    ? ok(name, found)
    : warn(name, `${found} is open to other users`, `chmod 700 '${path}'`, 'repair');
}

/** Less than a run needs for its rows. */
const MIN_FREE_BYTES = 1024 * 1024;

function isFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < MIN_FREE_BYTES;
}

const nearestExisting = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));

/** The native modules load, and the database, if there is one, can be read. Writes nothing. */
export async function checkDatabase({ stateDir }: Places): Promise<Check[]> {
  const reinstall = 'Install again: `npm ci` in a clone, `npm i -g` for a package.';
  let Database: typeof import('better-sqlite3');
  try {
    Database = (await import('better-sqlite3')).default;
    const vectors = await import('sqlite-vec');
    const memory = new Database(':memory:');
    vectors.load(memory);
    const versions = memory
      .prepare<[], { sqlite: string; vec: string }>(
        'SELECT sqlite_version() AS sqlite, vec_version() AS vec',
      )
      .get();
    memory.close();
    return [
      ok('database engine', `SQLite ${versions?.sqlite}, sqlite-vec ${versions?.vec}`),
      await checkFile(join(stateDir, 'capstan.db')),
    ];
  } catch (error) {
    return [fail('database engine', messageOf(error), reinstall)];
  }
}

/** Checks every page, which takes about a second for each GiB. */
async function checkFile(path: string): Promise<Check> {
  const name = 'database';
  const { schemaAfter } = await import('../../../db/migrations.ts');
  const { openForReading } = await import('../../../db/open-database.ts');
  const { assertHealthy } = await import('../../../db/health/assert-intact.ts');
  try {
    if (!lstatSync(path, { throwIfNoEntry: false }))
      return ok(name, `${path} (created by the first run)`);
    const db = openForReading(path);
    try {
      assertHealthy(db, path);
      return ok(name, `${path} (schema ${schemaAfter()})`);
    } finally {
      db.close();
    }
  } catch (error) {
    return unusableDatabase(name, path, error);
  }
}

function unusableDatabase(name: string, path: string, error: unknown): Check {
  if (failedWith(error, 'DATABASE_OLDER')) return ok(name, `${path} (the next run upgrades it)`);
  if (failedWith(error, 'DATABASE_NEWER')) {
    const { version } = error.details;
    const newer = `${path} was written by a newer version of Capstan (schema ${version})`;
    return fail(name, newer, 'Upgrade Capstan.');
  }
  const isExplained =
    failedWith(error, 'DATABASE_UNREADABLE') || failedWith(error, 'DATABASE_FAILED');
  const { problem, fix = MOVE_AWAY } = isExplained ? error.details : { problem: messageOf(error) };
  return fail(name, `${path}: ${problem}`, fix);
}

const MOVE_AWAY = 'Move the file away, or set CAPSTAN_HOME to another folder.';
