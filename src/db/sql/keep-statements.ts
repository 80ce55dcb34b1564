import type { Db } from '../open-database.ts';

/**
 * Makes a connection cache its prepared statements, for a library that prepares a statement for every call. Only for
 * statements that run to completion synchronously.
 */
export function keepStatements(db: Db): Db {
  const cache = new Map<string, ReturnType<Db['prepare']>>();
  const prepare = db.prepare.bind(db) as (sql: string) => ReturnType<Db['prepare']>;
  const prepareOnce = (sql: string) => {
    const statement = cache.get(sql) ?? prepare(sql);
    cache.set(sql, statement);
    return statement;
  };
  return Object.assign(db, { prepare: prepareOnce });
}
