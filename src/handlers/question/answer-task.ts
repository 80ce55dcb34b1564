import { normalize } from 'node:path';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { evaluate } from '../tables/evaluate.ts';
import { openTable } from '../tables/open-table.ts';
import type { Sheet } from '../tables/render.ts';
import type { Table } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';
import { assertUsed } from './assert-used.ts';
import { composePlans } from './compose-plan.ts';
import { notUnderstood, unclear } from './failures.ts';
import { findFiles } from './find-files.ts';
import { readInstruction } from './parse-question.ts';
import { createParser } from './parser.ts';
import { plainVerbs } from './plain-verbs.ts';
import type { Plan } from './plan.ts';
import {
  type Answer,
  headingOf,
  plainValue,
  renderAnswer,
  reportOf,
  sheetOf,
} from './present-answer.ts';
import { tokenize } from './tokens.ts';
import { withoutInputs } from './without-inputs.ts';
import { type Written, writeAnswer } from './write-answer.ts';

/**
 * Reads an instruction against a table.
 *
 * @throws TaskError `NOT_UNDERSTOOD` naming every word that could not be placed, `AMBIGUOUS`, `NOT_FOUND`.
 */
export function understand(task: string, table: Table): Plan[] {
  const text = plainVerbs(task);
  const parser = createParser(text, withoutInputs(tokenize(text)), table);
  const { drafts, leftover } = readInstruction(parser);
  if (leftover.length > 0) throw notUnderstood(leftover, table);
  const plans = composePlans(parser, drafts);
  assertUsed(parser.tokens, plans, table);
  return plans;
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
  if (first === undefined) {
    const isAboutResult = context.results.length > 0;
    const why =
      'What an earlier step found is no file that can be asked: put both into one question.';
    throw unclear(`No file to read is named.${isAboutResult ? ` ${why}` : ''}`);
  }
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
  assertNotRead(context, table, plans);
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
  const written = await writeFiles(context, answers, reports);
  const shown = reports.map((report, at) => withFormat(report, answers[at]));
  const text = answers.length > 1 ? withHeadings(answers, shown) : (shown[0] ?? '');
  const files = written.map(
    ({ path, bytes }) => `Wrote \`${path}\` (${bytes} bytes) and read it back.`,
  );
  return { text: [text, ...files].join('\n\n'), data: dataOf(answers) };
}

/** Writes the files that were asked for. A Markdown file holds all answers, any other its own. */
async function writeFiles(
  context: HandlerContext,
  answers: readonly Answer[],
  reports: readonly string[],
): Promise<Written[]> {
  const written: Written[] = [];
  for (const [at, answer] of answers.entries()) {
    const { file, format = 'markdown' } = answer.plan;
    if (file === undefined) continue;
    const holdsAll = answers.length > 1 && (format === 'markdown' || format === 'text');
    const report = holdsAll
      ? withHeadings(answers, reports)
      : withHeadings([answer], reports.slice(at));
    written.push(await writeAnswer(context, file, renderAnswer(answer, format, `${report}\n`)));
  }
  return written;
}

const withHeadings = (answers: readonly Answer[], reports: readonly string[]): string =>
  answers.map(({ plan }, at) => `## ${headingOf(plan)}\n\n${reports[at] ?? ''}`).join('\n\n');

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
    if (plan.object) return { question: plan.text, query, value: plainValue(answer) };
    return {
      question: plan.text,
      query,
      columns: sheet.columns.map(({ name }) => name),
      ...wholeRows(sheet),
      total_rows: sheet.rows.length,
    };
  });
  return all.length === 1 ? all[0] : { questions: all };
}

/** Most characters of rows that are handed on to later steps. */
const MAX_DATA_CHARS = 1_500_000;

/** All rows or none: a later step must not take a part for the whole. */
function wholeRows({ rows, texts }: Sheet): Partial<Sheet> & { rows_left_out?: true } {
  const whole = texts === undefined ? { rows } : { rows, texts };
  return JSON.stringify(whole).length <= MAX_DATA_CHARS ? whole : { rows_left_out: true };
}

/** What is read is never written over. */
function assertNotRead(context: HandlerContext, table: Table, plans: readonly Plan[]): void {
  const read = [table.name, context.input['path']].map((path) => normalize(String(path)));
  const file = plans.find(
    (plan) => plan.file !== undefined && read.includes(normalize(plan.file)),
  )?.file;
  if (file !== undefined) {
    throw new TaskError(
      'INPUT_INVALID',
      `${file} is the file that is read: name another one for the answer.`,
    );
  }
}

function assertOneFileEach(plans: readonly Plan[]): void {
  const files = plans.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined)
    throw new TaskError('AMBIGUOUS', `Two answers would be written to ${twice}.`);
}
