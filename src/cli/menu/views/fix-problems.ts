import { escapeText } from '../../../contract/text/escape-text.ts';
import type { MenuContext } from '../menu-context.ts';

/** Shows what can be repaired on this machine, asks, and repairs it. */
export async function fixProblems(context: MenuContext): Promise<void> {
  const { capstan, print, frame } = context;
  const { style, symbols } = frame();
  const plans = await capstan.doctor.plan(await capstan.doctor.check());
  const lines = plans.flatMap(({ steps }) => steps).map((step) => `  ${escapeText(step)}`);
  if (lines.length === 0) {
    print('  Nothing here can be repaired by itself: each finding says what to type.');
    return;
  }
  print(lines.join('\n'));
  if (!(await context.confirm('Repair this?'))) return;
  for (const { id, steps } of plans) {
    print(`  Repairs: ${steps.map((step) => escapeText(step)).join(symbols.separator)}`);
    await capstan.doctor.repair(id, { by: 'terminal' });
  }
  print(`${style.green(symbols.done)} Repaired`);
}
