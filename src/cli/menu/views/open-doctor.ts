import { escapeText } from '../../../contract/text/escape-text.ts';
import { checksText } from '../../commands/settings/doctor.ts';
import type { MenuContext } from '../program/create-context.ts';

/** `/doctor`: prints the checks of this machine, and offers the possible repairs. */
export async function openDoctor(context: MenuContext): Promise<void> {
  const { capstan, print, frame } = context;
  const { style, symbols } = frame();
  print('  Checking this machine');
  const checks = await capstan.doctor.check();
  print(checksText(checks).trimEnd());
  const plans = await capstan.doctor.plan(checks);
  if (plans.length === 0) return;
  const stepsOf = (steps: readonly string[]) => steps.map((step) => escapeText(step));
  print(`\nTo repair:\n  ${plans.flatMap(({ steps }) => stepsOf(steps)).join('\n  ')}`);
  if (!(await context.confirm('Repair this?'))) return;
  for (const { id, steps } of plans) {
    print(`  Repairing: ${stepsOf(steps).join(symbols.separator)}`);
    await capstan.doctor.repair(id, { by: 'terminal' });
  }
  print(`${style.green(symbols.done)} Repaired`);
}
