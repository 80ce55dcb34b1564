import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from '../../config/settings.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn, fail } = checksOf('storage');

/** Capstan's four folders: existing or creatable, writable, closed to other users. */
export function checkPlaces({ configDir, dataDir, stateDir, cacheDir }: Places): Check[] {
  return [
    checkPlace('settings folder', configDir),
    checkPlace('capsules folder', dataDir),
    checkPlace('state folder', stateDir),
    checkPlace('cache folder', cacheDir),
  ];
}

function checkPlace(name: string, path: string): Check {
  const fix = `Make ${path} a folder that you can write to, or set CAPSTAN_HOME to another one.`;
  const nearest = nearestExisting(path);
  try {
    if (!statSync(nearest).isDirectory()) return fail(name, `${nearest} is not a folder`, fix);
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(name, `${nearest} can't be written (${messageOf(error)})`, fix);
  }
  if (nearest !== path) return ok(name, `${path} (created when it is needed)`);
  const mode = statSync(path).mode & 0o777;
  const found = `${path} (mode ${mode.toString(8)})`;
  return (mode & 0o077) === 0
    ? ok(name, found)
    : warn(name, `${found} is open to other users`, `chmod 700 '${path}'`);
}

function nearestExisting(path: string): string {
  let nearest = path;
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  return nearest;
}

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
      await checkFile(Database, join(stateDir, 'capstan.db')),
    ];
  } catch (error) {
    return [fail('database engine', messageOf(error), reinstall)];
  }
}

async function checkFile(Database: typeof import('better-sqlite3'), path: string): Promise<Check> {
  const name = 'database';
  if (!existsSync(path)) return ok(name, `${path} (created by the first run)`);
  const { migrations } = await import('../../db/migrations.ts');
  const { assertOurs } = await import('../../db/open-database.ts');
  const fix = 'Move the file away, or set CAPSTAN_HOME to another folder.';
  try {
    const db = new Database(path, { readonly: true, timeout: 2_000 });
    try {
      assertOurs(db, path);
      const version = Number(db.pragma('user_version', { simple: true }));
      const health = String(db.pragma('quick_check(1)', { simple: true }));
      return health === 'ok'
        ? ok(name, `${path} (schema ${version} of ${migrations.length})`)
        : fail(name, `${path} is damaged: ${health}`, fix);
    } finally {
      db.close();
    }
  } catch (error) {
    if (failedWith(error, 'DATABASE_NEWER')) {
      const { version } = error.details;
      const newer = `${path} was written by a newer version of Capstan (schema ${version})`;
      return fail(name, newer, 'Upgrade Capstan.');
    }
    const problem = failedWith(error, 'DATABASE_UNREADABLE') ? error.details.problem : undefined;
    return fail(name, `${path}: ${problem ?? messageOf(error)}`, fix);
  }
}
