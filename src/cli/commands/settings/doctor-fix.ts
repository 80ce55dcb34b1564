import type { Check } from '../../../app/doctor/checks/check.ts';
import type { RepairPlan } from '../../../app/doctor/repair/plan-repairs.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { errorMessage } from '../../errors/error-document.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import type { CommandContext, CommandResult } from '../../with-capstan.ts';

/** Lists the possible repairs, asks, repairs, and lists the remaining manual steps. */
export async function fix(context: CommandContext): Promise<CommandResult | number> {
  const { capstan, args, io, isJson, has } = context;
  const { fix: _fix, yes: _yes, json: _json, ...options } = args.options;
  const print = isJson ? io.stderr : io.stdout;
  const plans = await capstan.doctor.plan(await capstan.doctor.check(options));
  const steps = plans.flatMap((plan) => plan.steps).map((step) => `  ${escapeText(step)}\n`);
  print(plans.length === 0 ? 'Nothing to repair here.\n' : `To repair:\n${steps.join('')}`);
  if (plans.length > 0 && !has('yes') && !(await confirm('Repair this?', io))) {
    print('Nothing was changed.\n');
    return exitCodes.failed;
  }
  const repaired = [];
  for (const plan of plans) repaired.push(await repair(plan, context));
  const left = (await capstan.doctor.check(options)).filter(({ status }) => status !== 'ok');
  const isOk =
    repaired.every(({ problem }) => problem === null) &&
    left.every(({ status }) => status !== 'fail');
  return { json: { repaired, left: left.map(checkDocument) }, text: leftText(left), isOk };
}

async function repair({ id, steps }: RepairPlan, { capstan, io, isJson }: CommandContext) {
  const unit = id === 'download_model' ? 'bytes' : 'texts';
  const options = { unit, afterMs: 0, isInPipe: !isJson } as const;
  const line = createProgressLine(io, id.replace('_', ' '), options);
  try {
    await capstan.doctor.repair(id, { by: 'cli', onProgress: line.update });
    line.end();
    io.stderr(`✓ ${steps.map((step) => escapeText(step)).join('\n✓ ')}\n`);
    return { id, steps, problem: null };
  } catch (error) {
    line.end();
    const problem = errorMessage(error);
    io.stderr(`✗ ${escapeText(problem, true)}\n`);
    return { id, steps, problem };
  }
}

function leftText(left: readonly Check[]): string {
  const findings = left.flatMap((check) => {
    const text = fixText(check);
    return text === undefined ? [] : [`${check.name}: ${check.message}\n  → ${text}\n`];
  });
  return findings.length === 0 ? '' : `\nLeft for you to do:\n${findings.join('')}`;
}

const nextTexts: Readonly<Record<NonNullable<Check['next']>, string>> = {
  download_model: 'Download it with `capstan doctor --fix`, or set CAPSTAN_EMBEDDER=static.',
  reset_breaker: 'It is tried again by itself; `capstan doctor --fix` resets it now.',
  repair: '`capstan doctor --fix`',
  setup: '`capstan setup`',
};

/** The command that fixes a finding; undefined if there is none, or if its message contains it. */
export const fixText = ({ next, fix }: Check): string | undefined =>
  next === undefined ? fix : nextTexts[next];

/** A finding as `--json` prints it. */
export const checkDocument = (check: Check) => ({
  area: check.area,
  name: check.name,
  status: check.status,
  found: check.message,
  fix: fixText(check) ?? null,
});
