import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

/**
 * Makes one commit of SQLite fail (`node --require`): the `FAULT_AT`-th of the process, on any connection, with the
 * code `FAULT`. `SQLITE_BUSY` occurs when a transaction begins, all others when it is committed; a full disk stays
 * full. Every commit is numbered in the file of `FAULT_POINTS`.
 */
const { FAULT = '', FAULT_AT, FAULT_POINTS } = process.env;

const messages: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'database or disk is full',
  SQLITE_BUSY: 'database is locked',
  SQLITE_IOERR: 'disk I/O error',
};

const first = FAULT_AT === undefined ? Number.POSITIVE_INFINITY : Number(FAULT_AT);
const strikes = FAULT === 'SQLITE_BUSY' ? /^\s*BEGIN IMMEDIATE/i : /^\s*COMMIT/i;
const writes = /^\s*(INSERT|UPDATE|DELETE|REPLACE)/i;
let count = 0;

type ErrorClass = new (message: string, code: string) => Error;

interface Native {
  readonly Statement: {
    readonly prototype: { run(this: Database.Statement, ...args: unknown[]): unknown };
  };
  setErrorConstructor(given: ErrorClass): void;
}

/** The native part only: the program that is tested brings the rest of better-sqlite3, and its own class of errors. */
const native: Native = createRequire(import.meta.url)(
  'better-sqlite3/build/Release/better_sqlite3.node',
);

let SqliteError: ErrorClass | undefined;
const { setErrorConstructor } = native;
native.setErrorConstructor = (given) => {
  SqliteError = given;
  setErrorConstructor(given);
};

const statements = native.Statement.prototype;
const run = statements.run;
statements.run = function (...args) {
  const { source } = this;
  const isCommit = strikes.test(source) || (writes.test(source) && !this.database.inTransaction);
  if (isCommit) strike(source);
  return run.apply(this, args);
};

function strike(source: string): void {
  if (FAULT_POINTS !== undefined)
    appendFileSync(FAULT_POINTS, `${count} ${source.trim().slice(0, 60).replaceAll('\n', ' ')}\n`);
  const at = count++;
  const isStruck = at === first || (at > first && FAULT === 'SQLITE_FULL');
  if (isStruck && SqliteError) throw new SqliteError(messages[FAULT] ?? FAULT, FAULT);
}
