import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { policyOptions } from '../../options/policy-options.ts';
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
    exitCode: wrong.length === 0 ? exitCodes.completed : exitCodes.failed,
  };
}
