import type { HandlerContext, Outcome } from '../../context.ts';
import { markdownTable } from '../../files/results/sheet.ts';
import { fenced, markdownCell } from '../../language/escape.ts';
import type { Token } from '../../language/lexer.ts';
import { quoteText } from '../sql/quote.ts';
import { placeOfAll } from './join-tables.ts';
import { isDatabase, runSql } from './load-tables.ts';
import type { Table } from './schema.ts';

const asking = /^(?:table|column|schema|structure|field)$/;

const around =
  /^(?:what|which|show|list|describe|print|display|give|me|the|all|are|is|there|in|inside|of|does|do|have|has|it|name|and|their|type|a|an|for|get|see|tell|file|database|contain|i|can|you|please|with|how|look|like|available|exist)$/;

/** Whether a question has a word of each kind, and only words of these kinds and around them. */
function consistsOf(tokens: readonly Token[], kinds: readonly RegExp[], others: readonly RegExp[]) {
  const words = tokens.filter(({ kind }) => kind !== 'mark' && kind !== 'file');
  const isOf = ({ stem, norm }: Token, kind: RegExp) => kind.test(stem) || kind.test(norm);
  return (
    kinds.every((kind) => words.some((word) => isOf(word, kind))) &&
    words.every((word) => [...kinds, ...others].some((kind) => isOf(word, kind)))
  );
}

/** Whether a question asks for tables or columns: `Which tables are in shop.db?`, `Describe shop.db`. */
export const isSchemaQuestion = (tokens: readonly Token[], path: string): boolean =>
  consistsOf(tokens, [asking], [around]) ||
  consistsOf(tokens, [/^describe$/], []) ||
  (isDatabase(path) && consistsOf(tokens, [whole], [around]));

/** What asks for the contents of a database: `What's in shop.db?` */
const whole = /^what(?:['’]s)?$/;

const sizes = [/^table$/, /^(?:row|record|entry|line)$/, /^(?:number|count|many)$/];

/** Whether a question asks for the size of each table: `How many rows does each table have?` */
export const asksForSizes = (tokens: readonly Token[]): boolean =>
  consistsOf(tokens, sizes, [around, /^(?:each|every|per|them|one|they|contain)$/]);

/** Answers with the number of rows of each table of a file or database. */
export async function countRows(
  context: HandlerContext,
  tables: readonly Table[],
  path: string,
): Promise<Outcome> {
  const own = tables.filter(({ sql }) => !sql.includes(' JOIN '));
  const sql = own
    .map((one) => `SELECT ${quoteText(nameOf(one))} AS "table", count(*) AS "rows" FROM ${one.sql}`)
    .join('\nUNION ALL\n');
  const { columns, rows } = await runSql(context, placeOfAll(own), sql);
  const texts = rows.map((row) => row.map((cell) => String(cell)));
  const table = markdownTable({ columns, rows, texts });
  const text = `${table}\n\nRead as: the number of rows of each table of ${markdownCell(path)}.\n\n${fenced(sql, 'sql')}`;
  return { text, data: { columns, rows, total_rows: rows.length, path, sql } };
}

const nameOf = ({ sql }: Table): string => sql.replaceAll('"', '');

/** Answers with the tables and columns of a file or database. */
export function describeSchema(
  tables: readonly Table[],
  tokens: readonly Token[],
  path: string,
): Outcome {
  const own = tables.filter(({ sql }) => !sql.includes(' JOIN '));
  const named = own.filter(({ nouns }) =>
    tokens.some(({ kind, stem }) => kind === 'word' && !asking.test(stem) && nouns.has(stem)),
  );
  const shown = named.length > 0 ? named : own;
  const isOnlyTables =
    shown.length > 1 &&
    tokens.some(({ stem, norm }) => stem === 'table' || whole.test(norm)) &&
    !tokens.some(({ stem }) => stem !== 'table' && asking.test(stem));
  const columns = isOnlyTables ? ['table', 'columns'] : ['table', 'column', 'kind', 'example'];
  const rows = shown.flatMap((table) => {
    const name = nameOf(table);
    if (isOnlyTables) return [[name, table.columns.map((column) => column.name).join(', ')]];
    return table.columns.map((column) => [
      name,
      column.name,
      column.isTime ? 'time' : column.isNumber ? 'number' : 'text',
      [...column.values][0] ?? null,
    ]);
  });
  const text = `${markdownTable({ columns, rows, texts: rows })}\n\nRead as: the ${isOnlyTables ? 'tables' : 'columns'} of ${markdownCell(path)}.`;
  return { text, data: { columns, rows, total_rows: rows.length } };
}
