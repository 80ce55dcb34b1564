import { join } from 'node:path';
import type { Places } from '../../../config/settings.ts';
import { type Db, openForReading } from '../../../db/open-database.ts';
import { tryOr } from '../../../platform/try-or.ts';

/** Reads the database and writes nothing. Undefined if there is none, or it can't be read, which `checkDatabase` reports. */
export const readDatabase = <T>({ stateDir }: Places, read: (db: Db) => T): T | undefined =>
  tryOr(() => {
    const db = openForReading(join(stateDir, 'capstan.db'));
    try {
      return read(db);
    } finally {
      db.close();
    }
  }, undefined);
