import { normalize } from 'node:path';
import type { HandlerContext, Outcome } from '../context.ts';
import { formatFor } from '../files/results/render-results.ts';
import { delimited, type Sheet, shownRows, toObjects } from '../files/results/sheet.ts';
import { writeChecked } from '../files/write-checked.ts';
import { fenced, markdownText, plainText } from '../language/escape.ts';
import type { Token } from '../language/lexer.ts';
import { FOUND_BEFORE } from '../language/lexicon.ts';
import { performCorrected } from '../language/spelling.ts';
import { fail, modelSettings, TaskError } from '../task-error.ts';
import { choose, type Loaded, loadAll, onlyFitting } from './choose/choose-table.ts';
import { wordsPlaced } from './choose/file-readings.ts';
import { inputFiles, inputsOf } from './choose/input-of.ts';
import { givenStatement, runGiven } from './given-sql.ts';
import { spelledFor, withProposal } from './propose/suggest.ts';
import { questionTokens } from './question-tokens.ts';
import type { Composed, OutputColumn } from './sql/clauses.ts';
import { isCounting, isMeasure, type Query, unclear } from './sql/query.ts';
import { oneMore, withoutTie } from './sql/ties.ts';
import { foundTable } from './table/found-table.ts';
import { loadTables, runSql, type SqlAnswer } from './table/load-tables.ts';
import { filesIn, type Place } from './table/place.ts';
import type { Table } from './table/schema.ts';
import {
  asksForSizes,
  countRows,
  describeSchema,
  isSchemaQuestion,
} from './table/schema-question.ts';
import type { Understood } from './understand.ts';

/** Maximum size of the rows that later steps get, in characters. */
const MAX_DATA_CHARS = 1_500_000;

/** Answers a question about a file or database with one SQL statement, and writes the file that it asks for. */
export async function answerQuestion(context: HandlerContext): Promise<Outcome> {
  const found = foundTable(context);
  const task = found ? context.task.replace(aboutFound, '') : context.task;
  const tokens = questionTokens(task);
  if (found && inputFiles(tokens).length === 0)
    return answerAll(context, await choose(context, tokens, [found]));
  const paths = await inputsOf(context, tokens);
  const [path = ''] = paths;
  const given = givenStatement(tokens);
  if (given && paths.length === 1) return runGiven(context, path, given);
  context.progress(`Looking at ${paths.join(', ')}`);
  const isOne = paths.length === 1;
  const files = isOne
    ? [{ path, tables: await loadTables(context, path) }]
    : await loadAll(context, paths);
  const [only] = isOne ? files : [];
  if (only && asksForSizes(tokens)) return countRows(context, only.tables, path);
  if (only && isSchemaQuestion(tokens, path)) return describeSchema(only.tables, tokens, path);
  return answerFrom(context, tokens, files);
}

/** Answers from the files that fit the question, if necessary with corrected spelling. */
async function answerFrom(
  context: HandlerContext,
  tokens: readonly Token[],
  files: readonly Loaded[],
): Promise<Outcome> {
  try {
    return await answerAll(context, await onlyFitting(context, tokens, files));
  } catch (error) {
    const isUnread = error instanceof TaskError && /^NOT_(?:UNDERSTOOD|FOUND)$/.test(error.code);
    const spelled = isUnread ? spelledFor(context.task, files) : undefined;
    const outcome = await performCorrected(context, spelled, answerQuestion);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

const aboutFound = new RegExp(`\\s*\\b(?:in|of|using) ${FOUND_BEFORE}\\b,?`, 'gi');

/** Answers from every file that fits the question equally well, and for every reading. */
async function answerAll(context: HandlerContext, all: readonly Understood[]): Promise<Outcome> {
  const answers = await Promise.all(all.map((one) => answer(context, one)));
  const [only, ...others] = answers;
  if (only && others.length === 0) return only;
  const files = [...new Set(all.map(({ table }) => table.path))];
  const names = all.map(({ table, reading }) =>
    [...(files.length > 1 ? [table.path] : []), ...(reading ? [reading] : [])].join(' '),
  );
  const parts = answers.map(({ text }, at) => `**${names[at]}**\n\n${text}`);
  const note =
    files.length > 1
      ? `The question fits ${names.join(' and ')}. Name the file to get one answer.`
      : `The question can be read ${names.join(' or ')}. Name the column to get one answer.`;
  return { text: [note, ...parts].join('\n\n'), data: { question: context.task, files } };
}

async function answer(
  context: HandlerContext,
  { table, query, composed }: Understood,
): Promise<Outcome> {
  const { path } = table;
  assertNotRead(query, path);
  const { beginning = '' } = table;
  const run = (sql: string) => runSql(context, table.place, beginning + sql);
  const found = await run(oneMore(composed));
  if ((query.hasPart || isOnlyOfTime(context.task, table, query)) && isNothing(found, query)) {
    const problem = `No row fits the question as it was read (${composed.readAs.join('; ')}). A word was probably meant differently. Use the names of columns.`;
    const error = new TaskError('NOT_UNDERSTOOD', problem);
    throw withProposal(error, { task: context.task, failures: [{ table, error, placed: 1 }] });
  }
  await assertSameByRows(query, composed, found, run);
  const { leftOut } = composed;
  const count = Number(leftOut && (await run(leftOut.sql)).rows[0]?.[0]) || 0;
  const note = `${count} row${count === 1 ? '' : 's'} without a ${leftOut?.noun} left out`;
  const readAs = [...composed.readAs, ...(count > 0 ? [note] : [])];
  const shown = withoutTie(found, { ...composed, readAs });
  const statement = { ...shown.composed, sql: beginning + shown.composed.sql };
  return present(context, { table, query, ...shown, composed: statement });
}

/** @throws TaskError `AMBIGUOUS` if others are first by their number of rows than by their number of different values. */
async function assertSameByRows(
  { rank }: Query,
  composed: Composed,
  { rows }: SqlAnswer,
  run: (sql: string) => Promise<SqlAnswer>,
): Promise<void> {
  const by = isMeasure(rank?.by) ? rank.by : undefined;
  if (!by?.isEither) return;
  const sql = composed.sql.replace(/count\(DISTINCT (?:[^()]|\([^()]*\))+\)/g, 'count(*)');
  const other = await run(oneMore({ ...composed, sql }));
  const first = (all: SqlAnswer['rows']) =>
    String(
      all
        .filter((row) => row.at(-1) === all[0]?.at(-1))
        .map(([name]) => name)
        .toSorted(),
    );
  if (first(rows) !== first(other.rows))
    throw new TaskError(
      'AMBIGUOUS',
      `"most" may mean rows or different values of ${by.of?.words}. Say "with the most rows" or "most different ${by.of?.words}". Or ${modelSettings}.`,
    );
}

/** Whether only a time selects the rows, and no word names them: `what's on at 18:00` may be about another file. */
function isOnlyOfTime(task: string, table: Table, { where, measures }: Query): boolean {
  const tokens = questionTokens(task);
  const isOpen = inputFiles(tokens).length === 0 && wordsPlaced(tokens, table) === 0;
  const isOfRows = measures.length === 0 && where.length > 0;
  return isOpen && isOfRows && where.every(({ part }) => part?.part === 'time');
}

/** Whether an answer has no rows, or only counts of zero. */
const isNothing = ({ rows }: SqlAnswer, { measures }: Query): boolean =>
  rows.every((row) =>
    row.every((cell) => cell === null || (cell === 0 && measures.every(isCounting))),
  );

function assertNotRead({ file }: Query, path: string): void {
  if (file?.endsWith('.log'))
    fail('NOT_SUPPORTED', `Name a .csv, .json or .md file instead of ${file} for the answer.`);
  if (file !== undefined && normalize(file) === normalize(path))
    fail('INPUT_INVALID', `The answer can't replace ${file}, which is read. Name another file.`);
}

type Answered = Understood & ReturnType<typeof withoutTie>;

async function present(
  context: HandlerContext,
  { table, query, composed, answer, tie }: Answered,
): Promise<Outcome> {
  const { columns, sql, readAs, isObject } = composed;
  const sheet = columns && sheetOf(columns, answer.rows);
  const value = sheet ? toObjects(sheet) : JSON.parse(String(answer.rows[0]?.[0] ?? 'null'));
  const { total, isCounted } = totalOf(answer);
  const isWhole = total <= answer.rows.length;
  const figures = sheet
    ? shownRows(sheet, total, isCounted)
    : fenced(JSON.stringify(value, null, 2), 'json');
  const files = filesIn(table, sql);
  const isNamed = files.every((one) => context.task.includes(one.replace(/^.*\//, '')));
  const file = isNamed ? [] : [`from ${files.join(' and ')}`];
  const source = table.beginning === undefined ? file : [`of ${FOUND_BEFORE}`];
  const report = [
    figures,
    `Read as: ${markdownText([...readAs, ...source].join('; '))}.`,
    // Hidden characters are made visible.
    fenced(sql.split('\n').map(plainText).join('\n'), 'sql'),
    ...[...table.notes, ...(tie === undefined ? [] : [tie])].map((note) => `- ${note}`),
  ].join('\n\n');
  const more = await writtenAs(context, {
    ...{ table, query, sheet, report, isWhole },
    value: isObject ? value[0] : value,
  });
  const data = sheet
    ? { ...rowsWithin(sheet, isWhole), ...(isCounted && { total_rows: total }) }
    : { value };
  return {
    text: `${report}${more}`,
    data: {
      ...{ question: context.task, path: table.path, sql },
      ...((files.length > 1 || isOfList(table.place)) && { place: table.place }),
      ...data,
    },
  };
}

/** The number of rows, at least if they were not counted because that takes too long. */
function totalOf({ rows, total_rows: counted, truncated }: SqlAnswer) {
  const isCounted = counted !== undefined || !truncated;
  return { isCounted, total: counted ?? rows.length + (isCounted ? 0 : 1) };
}

/** Whether a table is one of several lists of a file. */
const isOfList = ({ files = {} }: Place): boolean =>
  Object.values(files).some((file) => typeof file !== 'string');

/** The rows of a query result. Numbers that SQLite returned as text become numbers. */
const sheetOf = (columns: readonly OutputColumn[], rows: SqlAnswer['rows']): Sheet => ({
  columns: columns.map(({ name }) => name),
  rows: rows.map((row) => row.map((cell, at) => cellValue(cell, columns[at]))),
  // A number from the file is a text, so that it is not rounded.
  texts: rows.map((row) =>
    row.map((cell, at) => (typeof cell === 'number' && columns[at]?.source ? String(cell) : cell)),
  ),
});

function cellValue(cell: unknown, column: OutputColumn | undefined): unknown {
  if (typeof cell !== 'string') return cell;
  if (column?.source?.isBoolean)
    return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell;
  if (!column?.isNumber) return cell;
  if (cell.trim() === '') return null;
  const number = Number(cell);
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number))
    ? number
    : cell;
}

/** All rows or no rows, so that a later step can't mistake a part for the whole. */
function rowsWithin({ columns, rows, texts }: Sheet, isWhole: boolean): Record<string, unknown> {
  const all = { columns, rows, texts };
  return isWhole && JSON.stringify(all).length <= MAX_DATA_CHARS
    ? all
    : { columns, rows_left_out: true };
}

interface Written {
  readonly query: Query;
  readonly sheet: Sheet | undefined;
  readonly value: unknown;
  readonly report: string;
  readonly isWhole: boolean;
  readonly table: Table;
}

/** Writes the answer to the file that is asked for. Otherwise, shows it in the requested format, if there is one. */
async function writtenAs(context: HandlerContext, written: Written): Promise<string> {
  const { file: path, format = '' } = written.query;
  if (path === undefined)
    return /^(?:json|csv|tsv)$/.test(format)
      ? `\n\n${fenced(contentOf(format, written), format)}`
      : '';
  if (!written.isWhole)
    fail('INPUT_TOO_LARGE', `The answer for ${path} has more than 10,000 rows. Ask for fewer.`);
  const content = contentOf(formatFor(path, format), written);
  const bytes = await writeChecked(context, {
    path,
    content,
    reason: `Write the answer to ${path}`,
  });
  const { list, path: of } = written.table;
  const rest = list ? ` It has the list "${list}" of ${of}, nothing else of that file.` : '';
  return `\n\nWrote \`${path}\` (${bytes} bytes) and read it back.${rest}`;
}

function contentOf(format: string, { query, sheet, value, report }: Written): string {
  if (format === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  if (format === 'text' && sheet?.columns.length === 1 && sheet.rows.length > 0)
    return sheet.texts.map(([text]) => `${text}\n`).join('');
  if (format !== 'csv' && format !== 'tsv') return `${report}\n`;
  if (!sheet) throw unclear('An object can only be written as JSON. Name a .json file.');
  return delimited(sheet, format === 'csv' ? ',' : '\t', query.hasHeader);
}
