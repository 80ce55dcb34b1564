import type { HandlerContext } from '../../context.ts';
import { plainText } from '../../language/escape.ts';
import type { Token } from '../../language/lexer.ts';
import { fillers } from '../../language/lexicon.ts';
import { TaskError } from '../../task-error.ts';
import { type Failure, nearestFirst, withProposal } from '../propose/suggest.ts';
import { isDeed } from '../read/columns/verbs-of-rows.ts';
import { assertAsks } from '../refuse/assert-asks.ts';
import { unclear } from '../sql/query.ts';
import { connectTables } from '../table/join-tables.ts';
import { isDatabase, loadTables, lookUpValues } from '../table/load-tables.ts';
import { filesIn } from '../table/place.ts';
import { columnList, type Table } from '../table/schema.ts';
import { readings, type Understood } from '../understand.ts';
import {
  assertKnown,
  assertNamed,
  isOfFile,
  mayLack,
  showsKey,
  withoutKeys,
  withoutLarger,
  wordsPlaced,
} from './file-readings.ts';
import { dataFiles, inputFiles, MAX_LOOKED_AT, shownPaths, unnamed } from './input-of.ts';

/** Maximum number of files that are answered from separately. */
const MAX_READINGS = 3;

/** A file and its tables; no tables if it can't be read. */
export interface Loaded {
  readonly path: string;
  readonly tables: readonly Table[];
}

/** Reads the question with each file that gives every word a meaning, else with all joined. If none is named, other files of the workspace are tried too. */
export async function onlyFitting(
  context: HandlerContext,
  tokens: readonly Token[],
  files: readonly Loaded[],
): Promise<readonly Understood[]> {
  const first = withoutParts(await allTried(context, tokens, files));
  const found = fitting(context, tokens, first);
  const isOfKey = found.length === 1 && found.some(showsKey);
  if (found.length > 0 && !isOfKey) return found;
  const [only] = first.length === 1 ? first : [];
  const { others, together } = await elsewhere(context, tokens, { files, first });
  const names = together?.chosen?.some(showsKey) ? undefined : together?.chosen;
  if (isOfKey) return names ?? found;
  const failures = first.flatMap((one) => one.failures);
  const alone = () => withoutKeys(fitting(context, tokens, others), failures);
  const chosen = ofOrElse(together?.chosen ?? [], only, alone);
  assertNamed(tokens, chosen);
  if (chosen.length > 0) return chosen;
  const open = [...failures, ...(together?.failures ?? [])].find(
    ({ error }) => error.details.isRead,
  );
  if (open) throw open.error;
  if (only) throw problemOf(context, tokens, only);
  throw refusal(context, tokens, {
    paths: files.map(({ path }) => path),
    failures: nearestFirst(failures),
  });
}

/** Drops readings that list only some of the values that another file has. */
function withoutParts(all: readonly Tried[]): readonly Tried[] {
  const tables = all.flatMap((one) => one.tables);
  const error = unclear('Some may be only in another file.');
  return all.map((one) =>
    one.chosen?.some((own) => mayLack(own, tables)) ? { ...one, chosen: [], error } : one,
  );
}

/** The readings of other files, if the sentence names none, and of all files joined. */
async function elsewhere(
  context: HandlerContext,
  tokens: readonly Token[],
  { files, first }: { readonly files: readonly Loaded[]; readonly first: readonly Tried[] },
) {
  const only = first.length === 1 ? first[0]?.error : undefined;
  const isOpen = inputFiles(tokens).length === 0 && context.input['path'] === undefined;
  const isFinal = only !== undefined && only.code !== 'NOT_UNDERSTOOD';
  // Without them, the error is about the named file.
  const all = () =>
    isOpen ? otherFiles(context, files) : otherFiles(context, files).catch(() => []);
  const rest = isFinal || (!isOpen && !only) ? [] : await all();
  // A named file is not exchanged for another one, but may be joined with it.
  const others = isOpen ? await allTried(context, tokens, rest) : [];
  const tables = joinable([...first, ...rest].flatMap((one) => one.tables));
  const together = isFinal ? undefined : await attempt(context, tokens, tables);
  const isOther =
    !isOpen && only && together?.chosen?.some((one) => !isOfFile(one, first[0]?.path));
  return { others, together: isOther ? undefined : together };
}

/** Prefers readings of joined files if they use several files, including the described one, to those of single files. */
function ofOrElse(
  together: readonly Understood[],
  only: Loaded | undefined,
  alone: () => readonly Understood[],
): readonly Understood[] {
  const files = together.map(({ table, composed }) => filesIn(table, composed.sql));
  const isOfOnly = files.every((paths) => !only || paths.includes(only.path));
  const isOfSeveral = files.some((paths) => paths.length > 1);
  const others = isOfOnly && isOfSeveral ? [] : alone();
  return others.length > 0 ? others : isOfOnly ? together : [];
}

type Tried = Loaded & Attempt;

const allTried = (
  context: HandlerContext,
  tokens: readonly Token[],
  files: readonly Loaded[],
): Promise<readonly Tried[]> =>
  Promise.all(
    files.map(async (file) => ({ ...file, ...(await attempt(context, tokens, file.tables)) })),
  );

async function otherFiles(
  context: HandlerContext,
  files: readonly Loaded[],
): Promise<readonly Loaded[]> {
  const all = await dataFiles(context);
  const rest = all.filter((path) => files.every((one) => one.path !== path));
  return all.length > MAX_LOOKED_AT ? [] : loadAll(context, rest);
}

/** Loads the tables of files. */
export const loadAll = (
  context: HandlerContext,
  paths: readonly string[],
): Promise<readonly Loaded[]> =>
  Promise.all(
    paths.map(async (path) => ({ path, tables: await loadTables(context, path).catch(() => []) })),
  );

/** The readings that fit a question. @throws TaskError `NOT_UNDERSTOOD` if there are too many. */
function fitting(
  { task }: HandlerContext,
  tokens: readonly Token[],
  tried: readonly Tried[],
): readonly Understood[] {
  const all = tried.flatMap(({ chosen }) => chosen ?? []);
  const found = named(all, tokens);
  assertKnown(tokens, found, tried);
  const paths = [...new Set(found.map(({ table }) => table.path))];
  if (found.length > MAX_READINGS || (paths.length > 1 && found.some(({ query }) => query.file)))
    throw unnamed(paths, task);
  return found;
}

/** The error for a question that fits none of several files. */
function refusal(
  { task }: HandlerContext,
  tokens: readonly Token[],
  { paths, failures }: { readonly paths: readonly string[]; readonly failures: readonly Failure[] },
): TaskError {
  const placed = Math.max(0, ...failures.map((one) => one.placed));
  assertAsks(tokens, placed);
  const isNamed = inputFiles(tokens).length > 1;
  // Other errors, such as missing dates, may not apply to another file.
  const near = failures.find(({ error }) => /^(?:NOT_UNDERSTOOD|AMBIGUOUS)$/.test(error.code));
  const problem =
    (placed > 0 ? near?.error : unclear(`No word matches a column of ${shownPaths(paths)}.`)) ??
    unclear(`No file to read is named. Add "in ${paths[0]}".`);
  return withProposal(isNamed ? severalNamed(paths) : problem, { task, failures });
}

/** Prefers the file whose rows the question names: by a noun (`tests` for test-results.csv) or a verb (`spent`). */
function named(fitting: readonly Understood[], tokens: readonly Token[]): readonly Understood[] {
  const isOfColumn = (verb: string) =>
    fitting.some(({ table }) => table.columns.some(({ words }) => words.includes(verb)));
  const ways = [
    ({ table }: Understood) => tokens.some(({ stem }) => table.nouns.has(stem)),
    // `the name of the database`, with a key `database`
    ({ table: { columns } }: Understood) =>
      tokens.some(({ stem, norm }) =>
        columns.some(({ isPart, words }) => isPart && fillers.has(norm) && words[0] === stem),
      ),
    ({ table }: Understood) =>
      tokens.some(({ kind, norm }) => kind === 'word' && !isOfColumn(norm) && isDeed(table, norm)),
  ];
  const isOneTable = (all: readonly Understood[]) =>
    new Set(all.map(({ table }) => table.path)).size === 1;
  return ways.map((way) => fitting.filter(way)).find(isOneTable) ?? fitting;
}

const severalNamed = (paths: readonly string[]) =>
  unclear(
    `The question is not understood for any of the named files (${paths.join(', ')}), nor for all of them joined. Ask about each file, or give the SQL that joins them.`,
  );

/** The tables of files and of at most one database that can be joined by their columns. */
function joinable(all: readonly Table[]): readonly Table[] {
  const own = all.filter(({ joins }) => !joins);
  const databases = new Set(own.flatMap(({ place }) => place.database ?? []));
  const isClear = ({ sql, place }: Table) =>
    own.filter((one) => one.sql === sql).length === 1 && !(place.database && databases.size > 1);
  return connectTables(own.filter(isClear)).filter(
    ({ related = [], joins = [] }) => related.length + joins.length > 0,
  );
}

/** The readings with the table that gives every word a meaning. @throws TaskError of the nearest table, or `AMBIGUOUS` */
export async function choose(
  context: HandlerContext,
  tokens: readonly Token[],
  tables: readonly Table[],
): Promise<readonly Understood[]> {
  const found = await attempt(context, tokens, tables);
  if (found.chosen) return found.chosen;
  throw problemOf(context, tokens, { tables, ...found });
}

function problemOf(
  { task }: HandlerContext,
  tokens: readonly Token[],
  { tables, error, failures }: Omit<Tried, 'path'>,
): TaskError | undefined {
  assertAsks(tokens, Math.max(0, ...tables.map((table) => wordsPlaced(tokens, table))));
  return error && withTables(withProposal(error, { task, failures }), tables);
}

/** The readings with a fitting table; or the error of the nearest table, and the errors of all. */
interface Attempt {
  readonly chosen?: readonly Understood[];
  readonly error?: TaskError | undefined;
  readonly failures: readonly Failure[];
}

async function attempt(
  context: HandlerContext,
  tokens: readonly Token[],
  tables: readonly Table[],
): Promise<Attempt> {
  const isJoined = ({ sql }: Table) => sql.includes(' JOIN ');
  const split = (group: readonly Table[]) => [
    group.filter((table) => !isJoined(table)),
    group.filter(isJoined),
  ];
  const named = split(tables.filter(({ nouns }) => tokens.some(({ stem }) => nouns.has(stem))));
  const lastNamed = named.findLast(({ length }) => length > 0);
  const failures: Failure[] = [];
  for (const group of [...named, ...split(tables)]) {
    const fitting: (readonly Understood[])[] = [];
    for (const table of group.filter((one) => failures.every((failed) => failed.table !== one))) {
      const found = await tryTable(context, tokens, table);
      if (found instanceof TaskError)
        failures.push({ table, error: found, placed: wordsPlaced(tokens, table) });
      else fitting.push(found);
    }
    const [first, second] = withoutLarger(fitting);
    if (second) {
      const names = [...new Set(fitting.flat().map((one) => one.table.sql))].join(', ');
      const problem = `The question fits several tables: ${names}. Name one.`;
      return { error: new TaskError('AMBIGUOUS', problem), failures };
    }
    if (first) return { chosen: first, failures };
    // A question with two readings in a named table is not tried with other tables.
    if (group === lastNamed && failures[0]?.error.code === 'AMBIGUOUS') break;
  }
  const [first] = failures;
  const isFirst = first?.error.code === 'AMBIGUOUS';
  return { error: (isFirst ? first : nearestFirst(failures)[0])?.error, failures };
}

async function tryTable(
  context: HandlerContext,
  tokens: readonly Token[],
  table: Table,
): Promise<readonly Understood[] | TaskError> {
  const found = readings(tokens, table);
  // Values may be in rows that were not read yet.
  const isMore =
    found instanceof TaskError && (await lookUpValues(context, table, textsOf(tokens)));
  return isMore ? readings(tokens, table) : found;
}

/** Adds the tables and columns of a database to an error. */
function withTables(failure: TaskError, tables: readonly Table[]): TaskError {
  if (!isDatabase(tables[0]?.path ?? '')) return failure;
  const own = tables.filter(({ sql }) => !sql.includes(' JOIN '));
  const schema = own.map((table) => `${table.sql}(${columnList(table)})`).join('; ');
  const shown = plainText(schema).slice(0, 3_000);
  return new TaskError(failure.code, `${failure.message} Tables: ${shown}`);
}

/** Runs of up to three words, which may be values of a column. */
const textsOf = (tokens: readonly Token[]): string[] =>
  [1, 2, 3].flatMap((length) =>
    tokens.flatMap((_token, at) => {
      const part = tokens.slice(at, at + length);
      const isText =
        part.length === length && part.every(({ kind }) => /^(?:word|quote)$/.test(kind));
      return isText ? [part.map(({ text }) => text).join(' ')] : [];
    }),
  );
