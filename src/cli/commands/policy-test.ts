import type { CheckedExample } from '../../broker/rules/check-examples.ts';
import { listProblems } from '../../config/given.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { policyGround } from './policy-ground.ts';

/** Exit code 1 where a file is wrong or an example does not hold. */
export async function testRules(args: CommandArguments, io: CommandIo): Promise<number> {
  const { around } = await policyGround(args, io);
  const { readPolicy } = await import('../../broker/rules/load-policy.ts');
  const { checkExamples } = await import('../../broker/rules/check-examples.ts');
  const { policy, problems } = await readPolicy(around);
  const examples = checkExamples(policy.texts, around.tools);
  const isOk =
    problems.length === 0 &&
    policy.notices.length === 0 &&
    examples.every(({ problem }) => problem === undefined);
  const files = policy.snapshot.rules.map(({ file }) => file);
  if (args.options['json'] === true) {
    const document = {
      ok: isOk,
      files,
      policy_version: policy.version,
      rules: policy.texts.map(({ id, answer, where }) => ({ id, answer, where })),
      problems: [...problems, ...policy.notices.map((problem) => ({ where: '', problem }))],
      examples: examples.map(({ problem = null, ...example }) => ({
        ...example,
        ok: problem === null,
        problem,
      })),
    };
    printJson(io, document);
  } else {
    for (const notice of policy.notices) io.stdout(`${escapeText(notice)}\n`);
    if (problems.length > 0) io.stdout(`${listProblems(problems)}\n`);
    io.stdout(reportOf(examples));
    io.stdout(summaryOf({ files, rules: policy.texts.length, examples }));
  }
  return isOk ? exitCodes.completed : exitCodes.failed;
}

const reportOf = (examples: readonly CheckedExample[]): string =>
  examples
    .map(({ rule, kind, shown, problem, where }) =>
      problem === undefined
        ? `ok    ${rule} ${kind} ${shown}\n`
        : `FAIL  ${rule} ${kind} ${shown}\n      ${escapeText(where)}: ${escapeText(problem)}\n`,
    )
    .join('');

function summaryOf(about: {
  readonly files: readonly string[];
  readonly rules: number;
  readonly examples: readonly CheckedExample[];
}): string {
  const { files, rules, examples } = about;
  if (files.length === 0)
    return 'There are no rules files: the gates and the table decide (docs/policy.md).\n';
  const failed = examples.filter(({ problem }) => problem !== undefined).length;
  return `${count(rules, 'rule')} in ${files.join(', ')} · ${count(examples.length, 'example')}, ${failed} failed\n`;
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
