import type { Check } from '../../../app/doctor/checks/check.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { fixText } from '../../commands/settings/doctor-fix.ts';
import { oneLine } from '../../lists/cell-text.ts';
import type { ListColumn } from '../../lists/columns/list-column.ts';
import { counted } from '../../text/format.ts';
import type { MenuContext } from '../program/create-context.ts';
import { openList } from './list/open-list.ts';

/** `/doctor`: the checks of this machine; problems first, each with its fix. */
export function openDoctor(context: MenuContext): void {
  openList<Check>(context, {
    title: (checks, { symbols }) => ['Doctor', sumOf(checks)].join(symbols.separator),
    columns: () => checkColumns,
    keyOf: ({ area, name }) => `${area} ${name}`,
    load: async () => (await context.capstan.doctor.check()).toSorted(byUrgency),
    empty: 'Nothing was checked.',
    detail: (check) => {
      const fix = fixText(check);
      return [oneLine(check.message), ...(fix === undefined ? [] : [`Try: ${oneLine(fix)}`])];
    },
    keys: [
      {
        key: 'f',
        words: 'repair (asks)',
        isForAll: true,
        run: () => fixProblems(context),
      },
      { key: 'c', words: 'check again', isForAll: true, run: () => undefined },
    ],
  });
}

const urgency: Readonly<Record<Check['status'], number>> = { fail: 0, warn: 1, ok: 2 };

const byUrgency = (a: Check, b: Check): number => urgency[a.status] - urgency[b.status];

function sumOf(checks: readonly Check[]): string {
  const failed = checks.filter(({ status }) => status === 'fail').length;
  const warned = checks.filter(({ status }) => status === 'warn').length;
  if (checks.length === 0) return 'checking this machine';
  if (failed === 0 && warned === 0) return 'nothing is missing';
  return `${counted(failed, 'problem')}, ${counted(warned, 'warning')}`;
}

/** Lists the possible repairs, asks, and performs them. */
async function fixProblems(context: MenuContext): Promise<void> {
  const { capstan, print, frame } = context;
  const { style, symbols } = frame();
  const plans = await capstan.doctor.plan(await capstan.doctor.check());
  const lines = plans.flatMap(({ steps }) => steps).map((step) => `  ${escapeText(step)}`);
  if (lines.length === 0) {
    print('  Nothing can be repaired automatically. Each problem shows what to type.');
    return;
  }
  print(lines.join('\n'));
  if (!(await context.confirm('Repair this?'))) return;
  for (const { id, steps } of plans) {
    print(`  Repairing: ${steps.map((step) => escapeText(step)).join(symbols.separator)}`);
    await capstan.doctor.repair(id, { by: 'terminal' });
  }
  print(`${style.green(symbols.done)} Repaired`);
}

/** The columns of the checks. */
const checkColumns: readonly ListColumn<Check>[] = [
  {
    name: 'check',
    value: ({ name }) => oneLine(name),
    cell: ({ status, name }, { symbols }) =>
      `${{ ok: symbols.done, warn: symbols.notice, fail: symbols.failed }[status]} ${oneLine(name)}`,
    paint: (cell, { status }, { style }) => {
      const paint = { ok: style.green, warn: style.yellow, fail: style.red }[status];
      return `${paint(cell.slice(0, 1))}${cell.slice(1)}`;
    },
  },
  { name: 'status', value: ({ status }) => status },
  {
    name: 'found',
    value: ({ message }) => oneLine(message),
    cell: 'value',
    cut: 'text',
  },
];
