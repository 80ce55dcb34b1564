import type { HandlerContext } from '../context.ts';
import { plainText } from '../language/escape.ts';
import type { Token } from '../language/lexer.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { assertAsks } from './assert-asks.ts';
import { inputFiles, unnamed } from './input-of.ts';
import { isDeed } from './read/names.ts';
import { connectTables } from './table/join-tables.ts';
import { isDatabase, loadTables, lookUpValues } from './table/load-tables.ts';
import { columnList, type Table } from './table/schema.ts';
import { type Understood, understand } from './understand.ts';

/** Most files that a question is answered from, each for itself. */
const MAX_READINGS = 3;

/**
 * Reads the question against the file for which every word has a meaning, or each of a few, else against the files together.
 *
 * @throws TaskError `NOT_UNDERSTOOD`.
 */
export async function onlyFitting(
  context: HandlerContext,
  tokens: readonly Token[],
  paths: readonly string[],
): Promise<readonly Understood[]> {
  context.progress(`Looking at ${paths.join(', ')}`);
  const tried = await Promise.all(paths.map((path) => tryFile(context, tokens, path)));
  const fitting = named(
    tried.flatMap(({ chosen }) => chosen ?? []),
    tokens,
  );
  if (
    fitting.length > MAX_READINGS ||
    (fitting.length > 1 && fitting.some(({ query }) => query.file))
  )
    throw unnamed(
      fitting.map(({ table }) => table.path),
      { question: context.task },
    );
  if (fitting.length > 0) return fitting;
  const together = await tryTogether(context, tokens, tried);
  if (together) return [together];
  const byNearness = tried.toSorted((a, b) => b.placed - a.placed);
  const [nearest] = byNearness;
  assertAsks(tokens, nearest?.placed ?? 0);
  const isNamed = inputFiles(tokens).length > 1;
  const isNear = nearest && nearest.placed > 0 && proposes(nearest.error) && !isNamed;
  throw isNear
    ? nearest.error
    : isNamed
      ? severalNamed(paths)
      : unnamed(byNearness.map(({ path }) => path));
}

/** Of several files that fit, the one of whose rows the question speaks: the tests, of test-results.csv, or what `spent` records. */
function named(fitting: readonly Understood[], tokens: readonly Token[]): readonly Understood[] {
  const isOfColumn = (verb: string) =>
    fitting.some(({ table }) => table.columns.some(({ words }) => words.includes(verb)));
  const ways = [
    ({ table }: Understood) => tokens.some(({ stem }) => table.nouns.has(stem)),
    ({ table }: Understood) =>
      tokens.some(({ kind, norm }) => kind === 'word' && !isOfColumn(norm) && isDeed(table, norm)),
  ];
  return ways.map((way) => fitting.filter(way)).find(({ length }) => length === 1) ?? fitting;
}

const severalNamed = (paths: readonly string[]) =>
  new TaskError(
    'NOT_UNDERSTOOD',
    `Several files are named (${paths.join(', ')}), and the question is not understood for one of them, nor for all together. Ask about each, or give the SQL that joins them, or ${modelSettings}.`,
  );

/** Reads the question against files that belong together by their columns. */
async function tryTogether(
  context: HandlerContext,
  tokens: readonly Token[],
  tried: readonly Tried[],
): Promise<Understood | undefined> {
  const plain = tried.flatMap(({ tables }) => tables.filter(({ format }) => format !== 'sqlite'));
  const tables = connectTables(plain, []).filter(
    ({ related = [], joins = [] }) => related.length + joins.length > 0,
  );
  return tables.length === 0
    ? undefined
    : choose(context, tokens, tables).catch((error: unknown) => {
        if (error instanceof TaskError) return undefined;
        throw error;
      });
}

/** Whether an error proposes what would work. */
const proposes = (error: unknown): boolean =>
  error instanceof TaskError && /^(?:NOT_UNDERSTOOD|AMBIGUOUS)$/.test(error.code);

/** A file that a question may be about. */
interface Tried {
  readonly path: string;
  readonly tables: readonly Table[];
  readonly chosen?: Understood;
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
  if (tables.length === 0) return { path, tables, placed: 0 };
  try {
    return { path, tables, chosen: await choose(context, tokens, tables), placed: 0 };
  } catch (error) {
    const placed = Math.max(...tables.map((table) => wordsPlaced(tokens, table)));
    return { path, tables, error, placed };
  }
}

/** The number of words that name a column, a row or a value of this table. */
const wordsPlaced = (tokens: readonly Token[], { columns, nouns }: Table): number =>
  tokens.filter(
    ({ text, stem }) =>
      nouns.has(stem) ||
      columns.some(({ words, values }) => words.includes(stem) || values.has(text)),
  ).length;

/** The table for which every word has a meaning. @throws TaskError of the nearest table, or `AMBIGUOUS`. */
export async function choose(
  context: HandlerContext,
  tokens: readonly Token[],
  tables: readonly Table[],
): Promise<Understood> {
  const isJoined = ({ sql }: Table) => sql.includes(' JOIN ');
  const split = (group: readonly Table[]) => [
    group.filter((table) => !isJoined(table)),
    group.filter(isJoined),
  ];
  const named = split(tables.filter(({ nouns }) => tokens.some(({ stem }) => nouns.has(stem))));
  const groups = [...named, ...split(tables)].filter(({ length }) => length > 0);
  let failure: unknown;
  for (const group of groups) {
    const { fitting, failed } = await fittingTables(context, tokens, group);
    const [first, second] = fitting;
    if (second) throw severalTables(fitting);
    if (first) return first;
    failure ??= failed;
    // What has two readings in a named table is not asked of another one.
    const isLastNamed = group === named.findLast(({ length }) => length > 0);
    if (isLastNamed && isAmbiguous(failure)) break;
  }
  assertAsks(tokens, Math.max(0, ...tables.map((table) => wordsPlaced(tokens, table))));
  throw withTables(failure, tables);
}

const isAmbiguous = (error: unknown): boolean =>
  error instanceof TaskError && error.code === 'AMBIGUOUS';

async function fittingTables(
  context: HandlerContext,
  tokens: readonly Token[],
  tables: readonly Table[],
): Promise<{ readonly fitting: readonly Understood[]; readonly failed: unknown }> {
  const fitting: Understood[] = [];
  let failed: unknown;
  for (const table of tables) {
    try {
      fitting.push(await tryTable(context, tokens, table));
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      failed ??= error;
    }
  }
  return { fitting, failed };
}

async function tryTable(context: HandlerContext, tokens: readonly Token[], table: Table) {
  try {
    return understand(tokens, table, context.task);
  } catch (error) {
    // A value may be in rows that were not read yet.
    if (!(await lookUpValues(context, table, textsOf(tokens)))) throw error;
    return understand(tokens, table, context.task);
  }
}

/** The error, with the tables and columns of a database. */
function withTables(failure: unknown, tables: readonly Table[]): unknown {
  if (!(failure instanceof TaskError) || !isDatabase(tables[0]?.path ?? '')) return failure;
  const own = tables.filter(({ sql }) => !sql.includes(' JOIN '));
  const schema = own.map((table) => `${table.sql}(${columnList(table)})`).join('; ');
  const shown = plainText(schema).slice(0, 3_000);
  return new TaskError(failure.code, `${failure.message} Tables: ${shown}`);
}

const severalTables = (fitting: readonly Understood[]) =>
  new TaskError(
    'AMBIGUOUS',
    `The question fits several tables: ${fitting.map(({ table }) => table.sql).join(', ')}. Name one.`,
  );

/** Words, and two or three consecutive ones, that may be values of a column. */
const textsOf = (tokens: readonly Token[]): string[] =>
  [1, 2, 3].flatMap((length) =>
    tokens.flatMap((_token, at) => {
      const part = tokens.slice(at, at + length);
      const isText =
        part.length === length && part.every(({ kind }) => /^(?:word|quote)$/.test(kind));
      return isText ? [part.map(({ text }) => text).join(' ')] : [];
    }),
  );
