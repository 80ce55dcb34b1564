import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { plainText } from '../tables/escape-cell.ts';
import { openDatabaseTable, runSql, tableNames } from '../tables/open-database.ts';
import { renderMarkdown } from '../tables/render.ts';
import type { Cell, Table } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';
import { answerFrom, inputFile, understand } from './answer-task.ts';
import { ambiguous } from './failures.ts';
import type { Plan } from './plan.ts';

/** Rows of a given statement that are shown. */
const MAX_SHOWN = 200;

/** Endings of what is surely text. */
const otherFile = /\.(?:csv|html?|jsonl?|log|m?[cj]s|md|ndjson|py|sh|sql|tsv?|txt|xml|ya?ml)$/i;

/** Answers a task about a SQLite database: runs the SQL it gives, or finds the one table that its words fit. */
export async function answerSqlTask(
  context: HandlerContext,
): Promise<{ text: string; data: unknown }> {
  const database = inputFile(context);
  if (otherFile.test(database))
    throw new TaskError('NOT_FOR_ME', `${database} is no SQLite database by its name.`);
  const given = givenSql(context.task);
  if (given) return await answerGiven(context, database, given);
  const tables: Table[] = [];
  for (const name of await tableNames(context, database)) {
    context.progress(`Looking at ${name}`);
    tables.push(await openDatabaseTable(context, database, name));
  }
  const { table, plans } = chooseTable(context.task, tables);
  return await answerFrom(context, table, plans);
}

interface Failure {
  readonly error: TaskError;
  readonly isNamed: boolean;
}

interface Candidate {
  readonly table: Table;
  readonly plans: readonly Plan[];
}

/**
 * The table against which every word has a meaning.
 *
 * @throws TaskError `AMBIGUOUS` where several fit and none is named; the closest failure where none fits.
 */
export function chooseTable(task: string, tables: readonly Table[]): Candidate {
  const candidates: Candidate[] = [];
  const failures: Failure[] = [];
  for (const table of tables) {
    try {
      candidates.push({ table, plans: understand(task, table) });
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      failures.push({ error, isNamed: isNamed(task, table) });
    }
  }
  const named = candidates.filter(({ table }) => isNamed(task, table));
  const [first, second] = named.length > 0 ? named : candidates;
  if (first && !second) return first;
  if (first) {
    throw ambiguous(
      `The question fits several tables: ${candidates.map(({ table }) => table.name).join(', ')}. Name one.`,
    );
  }
  throw noTable(failures, tables);
}

const shortName = (table: Table): string => table.columns[0]?.table ?? table.name;

function isNamed(task: string, table: Table): boolean {
  const name = shortName(table)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  const words = task.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.some((word) =>
    [name, `${name}s`, name.replace(/y$/, 'ies')].includes(word.replaceAll('_', '')),
  );
}

/** The failure of a table that is named, else the one that says least against it; and the schema. */
function noTable(all: readonly Failure[], tables: readonly Table[]): TaskError {
  const named = all.filter((failure) => failure.isNamed);
  const weight = ({ error }: Failure) => error.message.split('". ')[0]?.length ?? 0;
  const [closest] = (named.length > 0 ? named : all)
    .toSorted((a, b) => weight(a) - weight(b))
    .map(({ error }) => error);
  const schema = tables
    .map((table) => `${shortName(table)}(${table.columns.map(({ name }) => name).join(', ')})`)
    .join('; ');
  return new TaskError(
    closest?.code ?? 'NOT_UNDERSTOOD',
    `${closest?.message ?? 'No table fits.'} No single table answers this, and tables are not joined without a language model; SQL in back-ticks is run as it stands. Tables: ${plainText(schema).slice(0, 3_000)}`,
  );
}

/** SQL in a fence or in back-ticks. */
function givenSql(task: string): { sql: string; before: string; after: string } | undefined {
  const found =
    /```(?:sql)?\s*\n?([\s\S]+?)```/i.exec(task) ??
    /`\s*((?:select|with|values)\b[^`]+)`/i.exec(task);
  if (!found?.[1]) return undefined;
  return {
    sql: found[1].trim(),
    before: task.slice(0, found.index),
    after: task.slice(found.index + found[0].length),
  };
}

/** Around a given statement only words may stand that ask to run it. */
const around =
  /\b(?:please|run|execute|this|the|following|sql|query|statement|select|against|on|in|using|with|from|database|sqlite|and|show|me|display|print|report|its|result|results|output|answer|rows|give|table|as|a|markdown|file|of)\b|[\w./-]+\.(?:db3?|sqlite3?)\b|[^\p{L}\p{N}]/giu;

async function answerGiven(
  context: HandlerContext,
  database: string,
  { sql, before, after }: { sql: string; before: string; after: string },
): Promise<{ text: string; data: unknown }> {
  const leftover = `${before} ${after}`.replace(around, ' ').trim();
  if (leftover !== '') {
    throw new TaskError(
      'NOT_UNDERSTOOD',
      `Beside the SQL, this can't be understood: ${JSON.stringify(leftover.replace(/\s+/g, ' '))}. Choose a language model with CAPSTAN_PROVIDER (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, or a running Ollama).`,
    );
  }
  const answer = await runSql(context, database, sql, 10_000);
  const rows = answer.rows.map((row) => row.map(shownCell));
  const columns = answer.columns.map((name) => ({ name }));
  const table =
    rows.length === 0 ? 'No rows.' : renderMarkdown({ columns, rows: rows.slice(0, MAX_SHOWN) });
  const more = rows.length > MAX_SHOWN ? `\n\n… and ${rows.length - MAX_SHOWN} more rows.` : '';
  const cut = answer.truncated ? '\n\nThe result was cut: there are more rows.' : '';
  return {
    text: `## Result of the SQL\n\n${table}${more}${cut}\n\nRan as it stands against ${database}: ${rows.length} rows.`,
    data: {
      sql,
      columns: answer.columns,
      rows,
      total_rows: rows.length,
      truncated: answer.truncated === true,
    },
  };
}

const shownCell = (value: unknown): Exclude<Cell, boolean> => {
  if (typeof value === 'number' || typeof value === 'string' || value === null) return value;
  return JSON.stringify(value) ?? null;
};
