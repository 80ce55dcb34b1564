import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

/**
 * Makes one commit of SQLite fail (`node --require`): the n-th after `setFault`, on any connection. `SQLITE_BUSY` occurs
 * when a transaction begins, all others when it is committed; a full disk stays full until the next `setFault`.
 */
export interface Fault {
  readonly code: 'SQLITE_FULL' | 'SQLITE_BUSY' | 'SQLITE_IOERR';
  readonly at: number;
}

/** What this makes of the process that loads it. */
export interface Faulty {
  setFault?(fault: Fault | undefined): void;
}

const messages: Readonly<Record<Fault['code'], string>> = {
  SQLITE_FULL: 'database or disk is full',
  SQLITE_BUSY: 'database is locked',
  SQLITE_IOERR: 'disk I/O error',
};

const begins = /^\s*BEGIN IMMEDIATE/i;
const commits = /^\s*COMMIT/i;
const writes = /^\s*(INSERT|UPDATE|DELETE|REPLACE)/i;
let fault: Fault | undefined;
let count = 0;

(globalThis as Faulty).setFault = (given) => {
  fault = given;
  count = 0;
};

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
  if (fault) strike(fault, this);
  return run.apply(this, args);
};

function strike({ code, at }: Fault, { source, database }: Database.Statement): void {
  const strikes = code === 'SQLITE_BUSY' ? begins : commits;
  if (!strikes.test(source) && (!writes.test(source) || database.inTransaction)) return;
  const isStruck = count === at || (count > at && code === 'SQLITE_FULL');
  count += 1;
  if (isStruck && SqliteError) throw new SqliteError(messages[code], code);
}
