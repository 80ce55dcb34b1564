import { type SqlToken, sqlTokens } from '../query/sql-tokens.ts';

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
