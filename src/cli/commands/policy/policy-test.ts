import type { CheckedExample, RulesReport } from '../../../app/policy/test-rules.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { policyOptions } from '../../options/policy-options.ts';
import type { CommandContext } from '../../with-capstan.ts';

/** `policy test`: exit code 1 if a file is wrong or an example fails. */
export async function testRules(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const report = await capstan.policy.test(policyOptions(context));
  if (args.options['json'] === true) {
    printJson(io, documentOf(report));
  } else {
    for (const notice of report.notices) io.stdout(`${escapeText(notice)}\n`);
    io.stdout(problemsOf(report));
    for (const warning of report.warnings) io.stdout(`warn  ${escapeText(warning)}\n`);
    io.stdout(reportOf(report.examples));
    io.stdout(summaryOf(report));
  }
  return report.isOk ? exitCodes.completed : exitCodes.failed;
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

const reportOf = (examples: readonly CheckedExample[]): string =>
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
    return `${count(wrong, 'problem')} in ${files.join(', ')}: no run starts until ${wrong === 1 ? 'it is' : 'they are'} corrected.\n`;
  if (notices.length > 0) return 'Nothing is allowed until every rules file can be read.\n';
  const failed = examples.filter(({ problem }) => problem !== undefined).length;
  return `${count(rules.length, 'rule')} in ${files.join(', ')} · ${count(examples.length, 'example')}, ${failed} failed\n`;
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
