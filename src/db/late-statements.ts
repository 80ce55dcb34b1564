import type { Database, Statement } from 'better-sqlite3';
import { once } from '../platform/once.ts';

/**
 * Prepares each statement of a database when it is first used: stores name three times as many as a short run uses. A
 * wrong one throws only then.
 */
export function prepareLate(db: Database): void {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => late(() => prepare(sql))) as typeof db.prepare;
}

function late(make: () => Statement): Statement {
  const made = once(make);
  const statement: Pick<Statement, 'run' | 'get' | 'all' | 'iterate' | 'pluck' | 'raw'> = {
    run: (...values) => made().run(...values),
    get: (...values) => made().get(...values),
    all: (...values) => made().all(...values),
    iterate: (...values) => made().iterate(...values),
    pluck: () => late(() => made().pluck()),
    raw: () => late(() => made().raw()),
  };
  return statement as Statement;
}
