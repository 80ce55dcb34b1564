import { resolve } from 'node:path';
import type { ExplainedIntent } from '../../../app/policy/parse-intent.ts';
import type { Backtest, ChangedDecision, Explanation } from '../../../app/policy/policy-api.ts';
import type { PolicyOptions } from '../../../app/policy/policy-sources.ts';
import type { CheckedExample, RulesReport } from '../../../app/policy/test-rules.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { commandGroup } from '../../help/command-group.ts';
import { jsonLine } from '../../io/print-json.ts';
import { readOptionFile } from '../../io/read-option-file.ts';
import { sinceOption, standard } from '../../options/standard-options.ts';
import { counted, headedTable } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';
import { policyRemembered } from './policy-remembered.ts';
import { command as trust } from './trust.ts';

const commonOptions = {
  ...standard.workspace,
  ...standard.policy,
  ...standard.trustProject,
  ...standard.json,
};

export const command = commandGroup('capstan policy', {
  summary: 'Show and test rules, trust and remembered answers',
  subcommands: [
    {
      name: 'rules',
      summary: 'List the effective rules with their file and line',
      options: commonOptions,
      examples: ['capstan policy rules', 'capstan policy rules --workspace ../shop --json'],
      run: withCapstan(listRules),
    },
    {
      name: 'explain',
      summary: 'Explain the decision about an intent, without performing it',
      arguments: '[intent]',
      options: {
        '--file <path>': 'read one intent per line (JSONL), print one result per line',
        ...commonOptions,
      },
      examples: [
        'capstan policy explain \'{"capsule": "command-runner", "tool": "terminal", "args": {"argv": ["npm", "test"]}}\'',
        'capstan policy explain --file intents.jsonl --json',
      ],
      run: withCapstan(explainIntents),
    },
    {
      name: 'test',
      topic: 'Check',
      summary: 'Check the rules files and run the examples of every rule',
      options: commonOptions,
      examples: ['capstan policy test', 'capstan policy test --policy edited.yaml --json'],
      run: withCapstan(testRules),
    },
    {
      name: 'backtest',
      topic: 'Check',
      summary: 'Decide past intents again with the current rules',
      options: { ...standard.since, ...commonOptions },
      examples: [
        'capstan policy backtest --since 7d',
        'capstan policy backtest --policy edited.yaml --json',
      ],
      run: withCapstan(backtestRules),
    },
    trust,
    policyRemembered,
  ],
});

const policyOptions = ({ args, io, text }: CommandContext): PolicyOptions => ({
  overrides: args.options,
  policyFile: text('policy'),
  onNotice: (notice) => io.stderr(`note: ${notice}\n`),
});

/** `policy rules`: in the order in which they are tried. Exit code 1 if a rules file is wrong. */
async function listRules(context: CommandContext): Promise<CommandResult> {
  const { capstan, io } = context;
  const report = await capstan.policy.test(policyOptions(context));
  const { rules, files, problems, notices, warnings } = report;
  const wrong = [...problems.map(problemText), ...notices];
  const rows = rules.map(({ id, answer, when, where }) =>
    [id, answer, whenText(when), where].map((cell) => escapeText(cell)),
  );
  for (const text of wrong) io.stderr(`! ${escapeText(text)}\n`);
  if (warnings.length > 0) io.stderr(`! ${counted(warnings.length, 'warning')} about the rules\n`);
  if (wrong.length + warnings.length > 0) io.stderr('  Try: capstan policy test\n');
  return {
    json: { files, rules, problems: wrong, warnings },
    text: headedTable(['rule', 'answer', 'when', 'where'], rows, NO_RULES),
    isOk: wrong.length === 0,
  };
}

const NO_RULES = 'There are no rules: the gates and the table decide (docs/policy.md).\n';

/** `tool terminal, path keys/** or *.pem, cost_usd over 1` */
function whenText(when: object): string {
  const conditions = Object.entries(when).map(([field, value]) => {
    if (Array.isArray(value)) return `${field} ${value.join(' or ')}`;
    if (typeof value !== 'object') return `${field} ${value}`;
    return `${field} ${Object.entries(value).flat().join(' ')}`;
  });
  return conditions.join(', ') || 'always';
}

/** `policy test`: exit code 1 if a file is wrong or an example fails. */
async function testRules(context: CommandContext): Promise<CommandResult> {
  const report = await context.capstan.policy.test(policyOptions(context));
  const problems = [...new Set(report.problems.map(problemText))];
  const text = [
    ...report.notices.map((notice) => `${escapeText(notice)}\n`),
    ...problems.map((problem) => `  ${problem}\n`),
    ...report.warnings.map((warning) => `warn  ${escapeText(warning)}\n`),
    examplesText(report.examples),
    summaryOf(report, problems.length),
  ].join('');
  return { json: reportDocument(report), text, isOk: report.isOk };
}

const reportDocument = (report: RulesReport) => ({
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

const problemText = ({ where, problem }: RulesReport['problems'][number]): string =>
  `${printable(where, 1_000)}: ${problem}`;

const examplesText = (examples: readonly CheckedExample[]): string =>
  examples
    .map(({ rule, kind, shown, problem, where }) =>
      problem === undefined
        ? `ok    ${rule} ${kind} ${shown}\n`
        : `FAIL  ${rule} ${kind} ${shown}\n      ${escapeText(where)}: ${escapeText(problem)}\n`,
    )
    .join('');

function summaryOf({ files, rules, examples, notices }: RulesReport, wrong: number): string {
  if (files.length === 0)
    return 'There are no rules files: the gates and the table decide (docs/policy.md).\n';
  const named = files.join(', ');
  if (wrong > 0)
    return `${counted(wrong, 'problem')} in ${named}: no run starts until ${wrong === 1 ? 'it is' : 'they are'} corrected.\n`;
  if (notices.length > 0) return 'Nothing is allowed until every rules file can be read.\n';
  const failed = examples.filter(({ problem }) => problem !== undefined).length;
  return `${counted(rules.length, 'rule')} in ${named} · ${counted(examples.length, 'example')}, ${failed} failed\n`;
}

const MAX_FILE_BYTES = 16 * 1024 ** 2;

/** `policy explain`: one explanation for each intent. The exit code is 0 whatever is decided. */
async function explainIntents(context: CommandContext): Promise<number> {
  const { capstan, args, io, isJson } = context;
  const { parseIntent, invalidIntent } = await import('../../../app/policy/parse-intent.ts');
  const intents = intentTexts(context).map(({ text, where }): ExplainedIntent => {
    try {
      return parseIntent(JSON.parse(text), where);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw invalidIntent(where, `"${printable(text, 80)}" is not JSON.`);
    }
  });
  const isLine = isJson || args.options['file'] !== undefined;
  for (const explanation of await capstan.policy.explain(intents, policyOptions(context))) {
    io.stdout(isLine ? `${jsonLine(explanation)}\n` : explanationText(explanation));
  }
  return exitCodes.completed;
}

function explanationText({ decision, step, rule, tier, reason, sentence }: Explanation): string {
  const steps = ['', 'denials', 'forced asks', 'rules', 'gates', 'the table'];
  const by = `by ${escapeText(rule)} (step ${step}, ${steps[step] ?? 'an answer'})`;
  const facts = `tier ${tier ?? '-'}${reason === null ? '' : ` · reason ${reason}`}`;
  return `${decision.toUpperCase()}  ${by}\n  ${escapeText(sentence)}\n  ${facts}\n`;
}

/** The intents as JSON, and where each is, for messages. */
function intentTexts({ args, io, text }: CommandContext) {
  const path = text('file');
  const [given] = args.positionals;
  if (given !== undefined && path === undefined) return [{ text: given, where: 'The intent' }];
  if (given !== undefined || path === undefined) throw usage(NO_INTENT);
  const file = resolve(io.cwd, path);
  return readOptionFile(file, { cwd: io.cwd, maxBytes: MAX_FILE_BYTES, option: '--file' })
    .split('\n')
    .map((line, at) => ({ text: line, where: `${file}:${at + 1}` }))
    .filter((one) => one.text.trim() !== '');
}

const NO_INTENT = `Name one intent as JSON, or a file of them with --file: capstan policy explain '{"capsule": …, "tool": …, "args": {…}}'`;

const MAX_SHOWN = 50;

/** `policy backtest`. Changed decisions are not a failure: the exit code is 0. */
async function backtestRules(context: CommandContext): Promise<CommandResult> {
  const since = sinceOption(context.args.options['since']);
  const result = await context.capstan.policy.backtest({ ...policyOptions(context), since });
  return { json: backtestDocument(result), text: backtestText(result) };
}

const backtestDocument = ({ decided, skipped, counts, changed, changedInAll }: Backtest) => ({
  decided,
  skipped,
  changed: changedInAll,
  counts: Object.fromEntries(counts),
  changes: changed.map(withDocumentKeys),
});

function backtestText({ decided, skipped, counts, changed, changedInAll }: Backtest): string {
  const shown = changed.slice(0, MAX_SHOWN);
  const rows = shown.map(({ runId, capsuleId, name, target, before, after }) => [
    escapeText(shortId(runId)),
    escapeText(capsuleId),
    escapeText(name),
    shorten(target, 40),
    decisionWords(before),
    decisionWords(after),
  ]);
  const head = ['run', 'capsule', 'operation', 'target', 'was', 'would be'];
  const table = headedTable(head, rows, '');
  const rest = changedInAll - shown.length;
  const more = rest > 0 ? `… and ${rest} more (--json lists up to 1000)\n` : '';
  const kinds = [...counts].map(([kind, many]) => `${kind}: ${many}`).join(' · ');
  const without = skipped > 0 ? ` ${skipped} could not be decided (no facts were kept).` : '';
  const total = `${decided} intents were decided again, ${changedInAll} differently.${without}\n`;
  return `${table}${more}${total}${kinds === '' ? '' : `${kinds}\n`}`;
}

const decisionWords = ({ decision, rule }: ChangedDecision['after']): string =>
  `${decision} (${escapeText(rule)})`;
