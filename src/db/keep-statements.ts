import type { Db } from './open-database.ts';

/**
 * Makes a connection keep each statement that is prepared on it, so that a library that prepares anew for every call
 * finds it ready. For statements that are run to their end at once.
 */
export function keepStatements(db: Db): Db {
  const kept = new Map<string, ReturnType<Db['prepare']>>();
  const prepare = db.prepare.bind(db) as (sql: string) => ReturnType<Db['prepare']>;
  const prepareOnce = (sql: string) => {
    const statement = kept.get(sql) ?? prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
  return Object.assign(db, { prepare: prepareOnce });
}
