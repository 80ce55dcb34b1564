import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../../../config/settings.ts';
import { type Db, openForReading } from '../../../db/open-database.ts';

/** Reads the database and writes nothing. Undefined if there is none, or it can't be read, which `checkDatabase` reports. */
export function readDatabase<T>({ stateDir }: Places, read: (db: Db) => T): T | undefined {
  const path = join(stateDir, 'capstan.db');
  if (!existsSync(path)) return undefined;
  try {
    const db = openForReading(path);
    try {
      return read(db);
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}
