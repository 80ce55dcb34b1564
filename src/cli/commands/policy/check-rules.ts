import type { CheckedExample, RulesReport } from '../../../app/policy/test-rules.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import { counted, formatTable } from '../../format.ts';
import { policyOptions } from '../../options/standard-options.ts';
import type { CommandContext, CommandResult } from '../../with-capstan.ts';

/** `policy rules`: in the order in which they are tried. Exit code 1 if a rules file is wrong. */
export async function listRules(context: CommandContext): Promise<CommandResult> {
  const { capstan, io } = context;
  const { rules, files, problems, notices } = await capstan.policy.test(policyOptions(context));
  const wrong = [
    ...problems.map(({ where, problem }) => `${printable(where, 1_000)}: ${problem}`),
    ...notices,
  ];
  const rows = rules.map(({ id, answer, where }) => [escapeText(id), answer, escapeText(where)]);
  for (const text of wrong) io.stderr(`! ${escapeText(text)}\n`);
  if (wrong.length > 0) io.stderr('  Try: capstan policy test\n');
  return {
    json: { files, rules, problems: wrong },
    text:
      rows.length === 0
        ? 'There are no rules: the gates and the table decide (docs/policy.md).\n'
        : formatTable([['rule', 'answer', 'where'], ...rows]),
    isOk: wrong.length === 0,
  };
}

/** `policy test`: exit code 1 if a file is wrong or an example fails. */
export async function testRules(context: CommandContext): Promise<CommandResult> {
  const report = await context.capstan.policy.test(policyOptions(context));
  const text = [
    ...report.notices.map((notice) => `${escapeText(notice)}\n`),
    problemsOf(report),
    ...report.warnings.map((warning) => `warn  ${escapeText(warning)}\n`),
    examplesText(report.examples),
    summaryOf(report),
  ].join('');
  return { json: documentOf(report), text, isOk: report.isOk };
}

const documentOf = (report: RulesReport) => ({
  ok: report.isOk,
  files: report.files,
  policy_version: report.policyVersion,
  rules: report.rules,
  problems: [...report.problems, ...report.notices.map((problem) => ({ where: '', problem }))],
  warnings: report.warnings,
  examples: report.examples.map(({ problem = null, ...example }) => ({
    ...example,
    ok: problem === null,
    problem,
  })),
});

/** One line for each problem; the same line is printed once. */
function problemsOf({ problems }: RulesReport): string {
  const lines = problems.map(({ where, problem }) => `  ${printable(where, 1_000)}: ${problem}\n`);
  return [...new Set(lines)].join('');
}

const examplesText = (examples: readonly CheckedExample[]): string =>
  examples
    .map(({ rule, kind, shown, problem, where }) =>
      problem === undefined
        ? `ok    ${rule} ${kind} ${shown}\n`
        : `FAIL  ${rule} ${kind} ${shown}\n      ${escapeText(where)}: ${escapeText(problem)}\n`,
    )
    .join('');

function summaryOf({ files, rules, examples, problems, notices }: RulesReport): string {
  if (files.length === 0)
    return 'There are no rules files: the gates and the table decide (docs/policy.md).\n';
  const wrong = new Set(problems.map(({ where, problem }) => `${where}: ${problem}`)).size;
  if (wrong > 0)
    return `${counted(wrong, 'problem')} in ${files.join(', ')}: no run starts until ${wrong === 1 ? 'it is' : 'they are'} corrected.\n`;
  if (notices.length > 0) return 'Nothing is allowed until every rules file can be read.\n';
  const failed = examples.filter(({ problem }) => problem !== undefined).length;
  return `${counted(rules.length, 'rule')} in ${files.join(', ')} · ${counted(examples.length, 'example')}, ${failed} failed\n`;
}
