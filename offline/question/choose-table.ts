import type { HandlerContext } from '../context.ts';
import { plainText } from '../language/escape.ts';
import { type Token, tokenize } from '../language/lexer.ts';
import { TaskError } from '../task-error.ts';
import { assertAsks } from './assert-asks.ts';
import { assertUsed } from './assert-used.ts';
import { unnamed } from './input-of.ts';
import { readQuestion } from './read/read-question.ts';
import { type Composed, composeSql } from './sql/compose-sql.ts';
import type { Query } from './sql/query.ts';
import { notUnderstood } from './suggest.ts';
import { isDatabase, loadTables, lookUpValues } from './table/load-tables.ts';
import { columnList, type Table } from './table/schema.ts';

/** Reads the question against the one file for which every word has a meaning. @throws TaskError `NOT_UNDERSTOOD`. */
export async function onlyFitting(
  context: HandlerContext,
  tokens: readonly Token[],
  paths: readonly string[],
): Promise<Chosen> {
  const tried: Tried[] = [];
  for (const path of paths) {
    context.progress(`Looking at ${path}`);
    tried.push(await tryFile(context, tokens, path));
  }
  const fitting = tried.flatMap(({ chosen }) => chosen ?? []);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  const [nearest] = tried.toSorted((a, b) => b.placed - a.placed);
  if (fitting.length === 0) assertAsks(tokens, nearest?.placed ?? 0);
  if (fitting.length === 0 && nearest && nearest.placed > 0 && proposes(nearest.error))
    throw nearest.error;
  throw unnamed('', fitting.length > 0 ? fitting.map(({ table }) => table.path) : paths);
}

/** Whether an error proposes what would work. */
const proposes = (error: unknown): boolean =>
  error instanceof TaskError && ['NOT_UNDERSTOOD', 'AMBIGUOUS'].includes(error.code);

/** A file that a question may be about. */
interface Tried {
  readonly chosen?: Chosen;
  readonly error?: unknown;
  /** The number of words that name something in it. */
  readonly placed: number;
}

async function tryFile(
  context: HandlerContext,
  tokens: readonly Token[],
  path: string,
): Promise<Tried> {
  // A file without rows can't be meant.
  const tables = await loadTables(context, path).catch(() => []);
  if (tables.length === 0) return { placed: 0 };
  try {
    return { chosen: await choose(context, tokens, tables), placed: 0 };
  } catch (error) {
    return { error, placed: Math.max(...tables.map((table) => wordsPlaced(tokens, table))) };
  }
}

/** The number of words that name a column, a row or a value of this table. */
const wordsPlaced = (tokens: readonly Token[], { columns, nouns }: Table): number =>
  tokens.filter(
    ({ text, stem }) =>
      nouns.has(stem) ||
      columns.some(({ words, values }) => words.includes(stem) || values.has(text)),
  ).length;

/** A question as it was read against one table. */
export interface Chosen {
  readonly table: Table;
  readonly query: Query;
  readonly composed: Composed;
}

/** The table for which every word has a meaning. @throws TaskError of the nearest table, or `AMBIGUOUS`. */
export async function choose(
  context: HandlerContext,
  tokens: readonly Token[],
  tables: readonly Table[],
): Promise<Chosen> {
  const isJoined = ({ sql }: Table) => sql.includes(' JOIN ');
  const named = tables.filter((table) => isNamed(tokens, table));
  const inOrder = [named, tables].flatMap((group) => [
    group.filter((table) => !isJoined(table)),
    group.filter(isJoined),
  ]);
  let failure: unknown = new TaskError('NOT_FOUND', 'There is no table to ask.');
  const groups = inOrder.filter(({ length }) => length > 0);
  for (const group of groups) {
    const { fitting, failed } = await fittingTables(context, tokens, group);
    const [first, second] = fitting;
    if (first && !second) return first;
    if (first && second) throw severalTables(fitting);
    if (group === groups[0]) failure = failed ?? failure;
  }
  assertAsks(tokens, Math.max(0, ...tables.map((table) => wordsPlaced(tokens, table))));
  throw isDatabase(tables[0]?.path ?? '') ? withTables(failure, tables) : failure;
}

/** The error, with the tables and columns of the database. */
function withTables(failure: unknown, tables: readonly Table[]): unknown {
  if (!(failure instanceof TaskError)) return failure;
  const own = tables.filter(({ sql }) => !sql.includes(' JOIN '));
  const schema = own.map((table) => `${table.sql}(${columnList(table)})`).join('; ');
  return new TaskError(
    failure.code,
    `${failure.message} Tables: ${plainText(schema).slice(0, 3_000)}`,
  );
}

const severalTables = (fitting: readonly Chosen[]) =>
  new TaskError(
    'AMBIGUOUS',
    `The question fits several tables: ${fitting.map(({ table }) => table.sql).join(', ')}. Name one.`,
  );

async function fittingTables(
  context: HandlerContext,
  tokens: readonly Token[],
  tables: readonly Table[],
): Promise<{ readonly fitting: readonly Chosen[]; readonly failed: unknown }> {
  const fitting: Chosen[] = [];
  let failed: unknown;
  for (const table of tables) {
    try {
      fitting.push(await understand(context, tokens, table));
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      failed ??= error;
    }
  }
  return { fitting, failed };
}

const isNamed = (tokens: readonly Token[], { nouns }: Table) =>
  tokens.some(({ stem }) => nouns.has(stem));

async function understand(
  context: HandlerContext,
  tokens: readonly Token[],
  table: Table,
): Promise<Chosen> {
  let read = readQuestion(tokens, table);
  if (read.leftover.length > 0 && (await lookUpValues(context, table, textsOf(tokens))))
    read = readQuestion(tokens, table);
  if (read.leftover.length > 0)
    throw notUnderstood(read.leftover, { task: context.task, table, reads });
  const composed = composeSql(read.query, read.reader);
  assertUsed(tokens, read.query, { table, sql: composed.sql });
  return { table, query: read.query, composed };
}

/** Words, and two or three consecutive ones, that may be values of a column. */
const textsOf = (tokens: readonly Token[]): string[] =>
  [1, 2, 3].flatMap((length) =>
    tokens.flatMap((_token, at) => {
      const part = tokens.slice(at, at + length);
      return part.length === length && part.every(({ kind }) => kind === 'word' || kind === 'quote')
        ? [part.map(({ text }) => text).join(' ')]
        : [];
    }),
  );

/** Whether a sentence can be answered from a table, for suggestions. */
export function reads(sentence: string, table: Table): boolean {
  try {
    const { query, reader, leftover } = readQuestion(tokenize(sentence), table);
    const { sql } = composeSql(query, reader);
    assertUsed(reader.tokens, query, { table, sql });
    return leftover.length === 0;
  } catch {
    return false;
  }
}
