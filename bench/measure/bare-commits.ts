import { type Db, openDatabase } from '../../src/db/open-database.ts';
import { uuidv7 } from '../../src/db/uuidv7.ts';
import { addRun } from '../../test/setup/broker-parts.ts';

type Values = Record<string, unknown>;

/** Two synced commits with only the necessary work of SQLite. */
export interface BareCommits {
  /** The rows of an intent with an effect: its row and an audit line, then the updated row and another line. */
  commitRows(): void;
  /** One row of 600 characters each. */
  commitSmall(): void;
  close(): void;
}

/** A separate database with Capstan's schema, for copies of the rows of the last intent of `from`. */
export function openBareCommits(path: string, from: Db): BareCommits {
  const db = openDatabase(path);
  addRun(db, 'run-1');
  const intent = lastOf(from, 'SELECT * FROM intents ORDER BY seq DESC LIMIT 1');
  const line = lastOf(from, 'SELECT * FROM audit ORDER BY seq DESC LIMIT 1');
  const insertIntent = insertInto(db, 'intents', Object.keys(intent));
  const endIntent = db.prepare(
    'UPDATE intents SET status = @status, outcome = @outcome, ended_at = @ended_at WHERE id = @id',
  );
  const insertLine = insertInto(db, 'audit', Object.keys(line));
  db.exec('CREATE TABLE small (id INTEGER PRIMARY KEY, text TEXT)');
  const insertSmall = db.prepare('INSERT INTO small (text) VALUES (?)');
  const text = 'x'.repeat(600);
  const small = db.transaction(() => insertSmall.run(text));
  const first = db.transaction((row: Values, audited: Values) => {
    insertIntent.run({ ...row, status: 'started', outcome: null, ended_at: null });
    insertLine.run(audited);
  });
  const second = db.transaction((row: Values, audited: Values) => {
    const { id, status, outcome, ended_at } = row;
    endIntent.run({ id, status, outcome, ended_at });
    insertLine.run(audited);
  });
  let count = 0;
  return {
    commitRows() {
      count += 1;
      const row = { ...intent, id: uuidv7(), seq: count };
      first.immediate(row, { ...line, seq: 2 * count - 1 });
      second.immediate(row, { ...line, seq: 2 * count });
    },
    commitSmall() {
      small.immediate();
      small.immediate();
    },
    close: () => void db.close(),
  };
}

const lastOf = (db: Db, sql: string): Values => db.prepare<[], Values>(sql).get() ?? {};

const insertInto = (db: Db, table: string, columns: readonly string[]) =>
  db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
  );
