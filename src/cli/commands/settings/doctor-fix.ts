import type { Check } from '../../../app/doctor/check.ts';
import type { RepairPlan } from '../../../app/doctor/repair/repair.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { printJson } from '../../io/print-json.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import type { CommandContext } from '../../with-capstan.ts';
import { fixText } from './doctor-text.ts';

/** Shows what can be repaired, asks, repairs it, and shows what is left to do by hand. */
export async function fix(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const { fix: _fix, yes, json, ...options } = args.options;
  const isJson = json === true;
  const print = isJson ? io.stderr : io.stdout;
  const plans = await capstan.doctor.plan(await capstan.doctor.check(options));
  if (plans.length === 0) print('Nothing to repair here.\n');
  else
    print(
      `To repair:\n${plans
        .flatMap(({ steps }) => steps)
        .map(stepLine)
        .join('')}`,
    );
  if (plans.length > 0 && yes !== true && !(await confirm('Repair this?', io))) {
    print('Nothing was changed.\n');
    return exitCodes.failed;
  }
  const repaired = [];
  for (const plan of plans) repaired.push(await repair(plan, context));
  const left = (await capstan.doctor.check(options)).filter(({ status }) => status !== 'ok');
  if (isJson) printJson(io, { repaired, left: left.map(leftDocument) });
  else print(leftText(left));
  const isFailed = repaired.some(({ problem }) => problem !== null);
  return isFailed || left.some(({ status }) => status === 'fail')
    ? exitCodes.failed
    : exitCodes.completed;
}

const stepLine = (step: string): string => `  ${escapeText(step)}\n`;

async function repair({ id, steps }: RepairPlan, { capstan, io, args }: CommandContext) {
  const unit = id === 'download_model' ? 'bytes' : 'texts';
  const isInPipe = args.options['json'] !== true;
  const line = createProgressLine(io, id.replace('_', ' '), { unit, afterMs: 0, isInPipe });
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

const leftDocument = (check: Check) => ({
  name: check.name,
  status: check.status,
  found: check.message,
  fix: fixText(check) ?? null,
});
