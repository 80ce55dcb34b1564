import type { Check } from '../../../app/doctor/checks/check.ts';
import type { IsolationReport } from '../../../app/doctor/test-isolation.ts';
import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { counted, formatTable } from '../../text/format.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';
import { command as breakers } from './breakers.ts';
import { checkDocument, fix, fixText } from './doctor-fix.ts';

export const command: CommandDefinition = {
  name: 'doctor',
  summary: 'Check this machine and the settings, and fix problems',
  options: {
    ...standard.workspace,
    '--isolation':
      'start processes that try to escape from the sandbox, and show what they could do',
    '--fix': 'show the possible repairs, ask, and apply them',
    ...standard.yes,
    ...standard.json,
  },
  examples: [
    'capstan doctor',
    'capstan doctor --fix',
    'capstan doctor --isolation',
    'capstan doctor --workspace ../shop --json',
  ],
  subcommands: [breakers],
  run: withCapstan((context) => {
    if (context.has('isolation')) return testIsolation(context);
    return context.has('fix') ? fix(context) : check(context);
  }),
};

async function check({ capstan, args, io }: CommandContext): Promise<CommandResult> {
  const checks = [...(await capstan.doctor.check(args.options)), checkTerminal(io.isTerminal)];
  const ok = checks.every(({ status }) => status !== 'fail');
  return { json: { ok, checks: checks.map(checkDocument) }, text: checksText(checks), isOk: ok };
}

async function testIsolation({ capstan, args }: CommandContext): Promise<CommandResult> {
  const { isolation: _, ...options } = args.options;
  const report = await capstan.doctor.testIsolation(options);
  const { level, reason, isKept, children, notices } = report;
  return {
    json: { ok: isKept, level, reason, children, notices },
    text: isolationText(report),
    isOk: isKept,
  };
}

function checkTerminal(isTerminal: boolean): Check {
  const check = { area: 'terminal', name: 'terminal' } as const;
  if (isTerminal)
    return { ...check, status: 'ok', message: 'yes: runs can ask questions', fix: undefined };
  const message = 'no: a run with a question parks (exit code 3)';
  const fix =
    'Answer with `capstan approvals list`, then `capstan resume`. Or use a terminal, or set --approve-mode.';
  return { ...check, status: 'warn', message, fix };
}

function checksText(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap((one) => {
    const fix = fixText(one);
    return [
      `${one.status.padEnd(4)}  ${one.name.padEnd(width)}  ${one.message}`,
      ...(fix === undefined ? [] : [`${' '.repeat(width + 8)}→ ${fix}`]),
    ];
  });
  const failed = checks.filter(({ status }) => status === 'fail').length;
  const problems = `${counted(failed, 'problem')} to fix before Capstan can work.`;
  return `${lines.join('\n')}\n\n${failed === 0 ? 'Nothing required is missing.' : problems}\n`;
}

function isolationText({ level, reason, attempts, children, notices }: IsolationReport): string {
  const rows = attempts.map(({ name, label }) => [
    label,
    ...children.map(({ found, problem }) => outcomeText(found[name], problem)),
  ]);
  const table = formatTable([['attempt', ...children.map(({ who }) => who)], ...rows]);
  const broken = children.flatMap(({ who, failings }) =>
    failings.map((what) => `A ${who} could ${what}, which level ${level} promises to prevent.`),
  );
  const good = `Level ${level} prevented everything that it promises to prevent.`;
  const end = [...notices, ...(broken.length === 0 ? [good] : broken)].join('\n');
  return `Isolation level ${level}: ${reason}\n\n${table}\n${end}\n`;
}

function outcomeText(outcome: string | undefined, problem: string | undefined): string {
  if (problem !== undefined) return 'not started';
  if (outcome === undefined) return '–';
  return outcome === 'done' ? 'yes' : `no (${outcome})`;
}
