import type { Database } from 'better-sqlite3';
import { tryOr } from '../../../platform/try-or.ts';
import { type SqlToken, sqlTokens } from '../query/sql-tokens.ts';

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

/** What a statement does, by its keywords. */
export interface StatementAction {
  /** Its first keyword, after a WITH clause: `insert`, `update`, `select`, `create`. */
  readonly verb: string;
  /** The object type of `create`, `drop` and `alter`: `table`, `index`, `view`, `trigger`. */
  readonly object?: string | undefined;
  /** With its schema, as SQL; undefined if there is none. */
  readonly name?: string | undefined;
  /** Whether an INSERT may change or replace existing rows. */
  readonly isUpsert: boolean;
}

const mains: ReadonlySet<string> = new Set('select values insert replace update delete'.split(' '));
/** Words between a verb and the name of its object. */
const between: ReadonlySet<string> = new Set(
  'or rollback abort replace fail ignore into from temp temporary unique virtual if not exists table index view trigger'.split(
    ' ',
  ),
);
const objects: ReadonlySet<string> = new Set(['table', 'index', 'view', 'trigger']);

/** Undefined if there is no statement in the text. */
export function actionOf(sql: string): StatementAction | undefined {
  const tokens = sqlTokens(sql).filter(({ text, depth }) => depth === 0 && text !== ';');
  const first = tokens[0];
  if (first === undefined) return undefined;
  const isMain = ({ text, kind }: SqlToken) => kind === 'word' && mains.has(text);
  const start = first.text === 'with' ? Math.max(tokens.findIndex(isMain), 0) : 0;
  const verb = tokens[start]?.text ?? '';
  let at = start + 1;
  let object: string | undefined;
  for (; tokens[at]?.kind === 'word' && between.has(tokens[at]?.text ?? ''); at += 1)
    object ??= objects.has(tokens[at]?.text ?? '') ? tokens[at]?.text : undefined;
  const isUpsert =
    verb === 'replace' ||
    tokens.some(({ text }, i) => text === 'or' && tokens[i + 1]?.text === 'replace') ||
    tokens.some(({ text }, i) => text === 'do' && tokens[i + 1]?.text === 'update');
  return { verb, object, name: nameAt(tokens, at, sql), isUpsert };
}

function nameAt(tokens: readonly SqlToken[], at: number, sql: string): string | undefined {
  const token = tokens[at];
  if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) return undefined;
  const name = wordAt(token, sql);
  return tokens[at + 1]?.text === '.' && tokens[at + 2]
    ? `${name}.${wordAt(tokens[at + 2] as SqlToken, sql)}`
    : name;
}

/** A name as it is written, quoted names in quotes. */
const wordAt = ({ kind, at, text }: SqlToken, sql: string): string =>
  kind === 'quoted' ? `"${text.replaceAll('"', '""')}"` : sql.slice(at, at + text.length);
