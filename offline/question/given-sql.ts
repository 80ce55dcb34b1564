import type { HandlerContext, Outcome } from '../context.ts';
import { shownRows } from '../files/results/sheet.ts';
import type { Token } from '../language/lexer.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { placeOf, runSql } from './table/load-tables.ts';

/** The SQL statement of a task, in a fence or in back-ticks, and the tokens around it. */
export function givenStatement(tokens: readonly Token[]) {
  const found = tokens.find(
    (token) =>
      token.kind === 'fence' ||
      (token.kind === 'code' && /^\s*(?:select|with|values|pragma|explain)\b/i.test(token.text)),
  );
  return found && { sql: found.text.trim(), around: tokens.filter((token) => token !== found) };
}

/** Words that are allowed around a statement. */
const around =
  /^(?:please|run|execute|this|the|following|sql|query|statement|select|against|on|in|using|with|from|database|sqlite|and|show|me|display|print|report|its|result|results|output|answer|rows|give|table|as|a|markdown|file|of)$/;

/** Runs a statement unchanged. @throws TaskError `NOT_UNDERSTOOD` for other words around it. */
export async function runGiven(
  context: HandlerContext,
  path: string,
  { sql, around: words }: NonNullable<ReturnType<typeof givenStatement>>,
): Promise<Outcome> {
  const leftover = words.filter(
    ({ kind, norm }) => kind !== 'mark' && kind !== 'file' && !around.test(norm),
  );
  if (leftover.length > 0)
    throw new TaskError(
      'NOT_UNDERSTOOD',
      `These words next to the SQL are not understood: ${leftover.map(({ text }) => JSON.stringify(text)).join(', ')}. Leave it out, or ${modelSettings}.`,
    );
  const answer = await runSql(context, placeOf(path), sql);
  const { columns, rows, truncated } = answer;
  const table = shownRows({ columns, rows, texts: rows });
  const cut = truncated ? '\n\nThe result was truncated: there are more rows.' : '';
  return {
    text: `## Result of the SQL\n\n${table}${cut}\n\nRan unchanged on ${path}: ${rows.length} rows.`,
    data: { path, sql, columns, rows, total_rows: answer.total_rows, truncated },
  };
}
