import type { Database } from 'better-sqlite3';
import { tryOr } from '../../../platform/try-or.ts';
import type { StatementAction } from './statement-action.ts';

const MAX_LINES = 50;

/** Counts what statements change, by their verb and the table that they name. */
export function createChangeCounts(db: Database) {
  const counters = db.prepare<[], { direct: number; total: number }>(
    'SELECT changes() AS direct, total_changes() AS total',
  );
  const total = () => counters.get()?.total ?? 0;
  const rows = new Map<string, { readonly action: StatementAction; readonly count: number }>();
  const others = new Set<string>();
  let indirect = 0;
  const noteRows = (action: StatementAction, changed: number, direct: number) => {
    const key = JSON.stringify([action.verb, action.isUpsert, action.name?.toLowerCase()]);
    const known = rows.get(key) ?? { action, count: 0 };
    rows.set(key, { action, count: known.count + direct });
    indirect += changed - direct;
  };
  return {
    /** Call it before a statement, and the returned function after it. */
    begin(action: StatementAction): () => void {
      const before = total();
      const dropped = action.verb === 'drop' ? describeObject(db, action) : undefined;
      return () => {
        const { direct = 0, total: after = 0 } = counters.get() ?? {};
        // If a statement changes no row, SQLite still reports the count of the previous one.
        if (isOfRows(action)) noteRows(action, after - before, after === before ? 0 : direct);
        else if (!readers.has(action.verb)) others.add(dropped ?? describeObject(db, action));
      };
    },
    /** One line for each kind of change: `changes 12 rows in orders`. */
    described(): string[] {
      const lines = [...rows.values()].map(({ action, count }) => describeRows(action, count));
      const more =
        indirect > 0 ? [`changes ${rowsIn(indirect)} more through triggers and foreign keys`] : [];
      const all = [...others, ...lines, ...more];
      const left = all.length - MAX_LINES;
      return left > 0 ? [...all.slice(0, MAX_LINES), `and ${left} more kinds of change`] : all;
    },
  };
}

const readers: ReadonlySet<string> = new Set(['select', 'values']);

const isOfRows = ({ verb }: StatementAction): boolean =>
  verb === 'insert' || verb === 'replace' || verb === 'update' || verb === 'delete';

const rowsIn = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;

function describeRows({ verb, name = 'a table', isUpsert }: StatementAction, count: number) {
  if (verb === 'update') return `changes ${rowsIn(count)} in ${name}`;
  if (verb === 'delete') return `deletes ${rowsIn(count)} of ${name}`;
  return isUpsert
    ? `adds or replaces ${rowsIn(count)} in ${name}`
    : `adds ${rowsIn(count)} to ${name}`;
}

const words: Readonly<Record<string, string>> = {
  create: 'creates',
  drop: 'drops',
  alter: 'alters',
  reindex: 'rebuilds indexes:',
  analyze: 'analyzes',
};

/** `drops the table orders (412 rows)`. */
function describeObject(db: Database, { verb, object, name }: StatementAction): string {
  const what = [words[verb] ?? verb, object && `the ${object}`, name].filter(Boolean).join(' ');
  const count = object === 'table' && verb !== 'alter' ? rowCount(db, name) : undefined;
  return count === undefined ? what : `${what} (${rowsIn(count)})`;
}

const rowCount = (db: Database, name: string | undefined): number | undefined =>
  tryOr(() => db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get(), undefined);
