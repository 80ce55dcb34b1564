import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { evaluate } from '../tables/evaluate.ts';
import { openTable } from '../tables/open-table.ts';
import type { Table } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';
import { composePlans } from './compose-plan.ts';
import { notUnderstood, unclear } from './failures.ts';
import { findFiles } from './find-files.ts';
import { readInstruction } from './parse-question.ts';
import { createParser } from './parser.ts';
import type { Plan } from './plan.ts';
import { type Answer, renderAnswer, reportOf, sheetOf, valueOf } from './present-answer.ts';
import { tokenize } from './tokens.ts';
import { type Written, writeAnswer } from './write-answer.ts';

/**
 * Reads an instruction against a table.
 *
 * @throws TaskError `NOT_UNDERSTOOD` naming every word that could not be placed, `AMBIGUOUS`, `NOT_FOUND`.
 */
export function understand(text: string, table: Table): Plan[] {
  const parser = createParser(text, tokenize(text), table);
  const { drafts, leftover } = readInstruction(parser);
  if (leftover.length > 0) throw notUnderstood(leftover, table);
  return composePlans(parser, drafts);
}

/** Answers a task about one file: reads it, answers every question, writes what is to be written. */
export async function answerFileTask(
  context: HandlerContext,
): Promise<{ text: string; data: unknown }> {
  const path = inputFile(context);
  context.progress(`Reading ${path}`);
  const table = await openTable(context, path);
  return await answerFrom(context, table, understand(context.task, table));
}

/** The one file that a task reads. @throws TaskError `NOT_FOUND` or `NOT_UNDERSTOOD` where it is not one. */
export function inputFile(context: HandlerContext): string {
  const given = context.input['path'];
  if (typeof given === 'string') return given;
  const { inputs } = findFiles(tokenize(context.task));
  const [first, second] = inputs;
  if (first === undefined) throw unclear('No file to read is named.');
  if (second !== undefined)
    throw unclear(`Several files are named (${inputs.join(', ')}); one at a time can be analysed.`);
  return first;
}

/** Evaluates plans over a table, writes their files and makes the report. */
export async function answerFrom(
  context: HandlerContext,
  table: Table,
  plans: readonly Plan[],
): Promise<{ text: string; data: unknown }> {
  assertOneFileEach(plans);
  const results = await evaluate(
    table,
    plans.flatMap(({ queries }) => queries),
  );
  const answers: Answer[] = [];
  let from = 0;
  for (const plan of plans) {
    answers.push({ plan, results: results.slice(from, from + plan.queries.length) });
    from += plan.queries.length;
  }
  const reports = answers.map((answer) => reportOf(answer, table));
  const written: Written[] = [];
  for (const [at, answer] of answers.entries()) {
    const { file, format } = answer.plan;
    if (file === undefined) continue;
    const isReport = format === 'markdown' || format === 'text';
    const report = isReport && plans.length > 1 ? reports.join('\n\n') : (reports[at] ?? '');
    written.push(
      await writeAnswer(context, file, renderAnswer(answer, format ?? 'markdown', `${report}\n`)),
    );
  }
  return {
    text: [
      ...reports.map((report, at) => withFormat(report, answers[at])),
      ...written.map(({ path, bytes }) => `Wrote \`${path}\` (${bytes} bytes) and read it back.`),
    ].join('\n\n'),
    data: dataOf(answers),
  };
}

/** Where a form was asked for and no file, the answer is shown in that form too. */
function withFormat(report: string, answer: Answer | undefined): string {
  const format = answer?.plan.file === undefined ? answer?.plan.format : undefined;
  if (!answer || !format || format === 'markdown' || format === 'text') return report;
  const body = renderAnswer(answer, format, report).trimEnd();
  return `${report}\n\n\`\`\`${format}\n${body.replaceAll('```', '`\u200b``')}\n\`\`\``;
}

function dataOf(answers: readonly Answer[]): unknown {
  const all = answers.map((answer) => {
    const sheet = sheetOf(answer);
    const { plan } = answer;
    const query = plan.queries.length === 1 ? plan.queries[0] : plan.queries;
    if (plan.object) return { question: plan.text, query, value: valueOf(answer) };
    return {
      question: plan.text,
      query,
      columns: sheet.columns.map(({ name }) => name),
      rows: sheet.rows.slice(0, 1_000),
      total_rows: sheet.rows.length,
    };
  });
  return all.length === 1 ? all[0] : { questions: all };
}

function assertOneFileEach(plans: readonly Plan[]): void {
  const files = plans.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined)
    throw new TaskError('AMBIGUOUS', `Two answers would be written to ${twice}.`);
}
