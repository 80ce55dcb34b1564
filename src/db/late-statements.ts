import type { Database, Statement } from 'better-sqlite3';
import { once } from '../platform/once.ts';

/** What a statement that is prepared when it is first used can do. */
export interface LateStatement<Values extends unknown[] = unknown[], Row = unknown>
  extends Pick<Statement<Values, Row>, 'run' | 'get' | 'all' | 'iterate'> {
  pluck(): this;
  raw(): this;
}

/** A database whose statements may be prepared late. */
export interface LateDatabase extends Omit<Database, 'prepare'> {
  prepare<Values extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): LateStatement<Values extends unknown[] ? Values : [Values], Row>;
}

/**
 * Prepares each statement of a database when it is first used: stores name three times as many as a short run uses. A
 * wrong one throws only then.
 */
export function prepareLate(db: Database): void {
  const prepare = db.prepare.bind(db);
  const lateDb: LateDatabase = db;
  lateDb.prepare = ((sql) => late(() => prepare(sql))) as LateDatabase['prepare'];
}

function late(make: () => Statement): LateStatement {
  const made = once(make);
  return {
    run: (...values) => made().run(...values),
    get: (...values) => made().get(...values),
    all: (...values) => made().all(...values),
    iterate: (...values) => made().iterate(...values),
    pluck: () => late(() => made().pluck()),
    raw: () => late(() => made().raw()),
  };
}
