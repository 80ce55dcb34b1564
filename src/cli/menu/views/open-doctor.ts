import type { Check } from '../../../app/doctor/check.ts';
import { fixText } from '../../commands/settings/doctor-text.ts';
import { checkColumns } from '../../lists/columns/check-columns.ts';
import { oneLine } from '../../lists/one-line.ts';
import type { MenuContext } from '../menu-context.ts';
import { fixProblems } from './fix-problems.ts';
import { openList } from './list/open-list.ts';

/** `/doctor`: what was checked on this machine; problems first, each with what to do. */
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
        words: 'fixes what it can (asks)',
        isForAll: true,
        run: () => fixProblems(context),
      },
      { key: 'c', words: 'checks again', isForAll: true, run: () => undefined },
    ],
  });
}

const urgency: Readonly<Record<Check['status'], number>> = { fail: 0, warn: 1, ok: 2 };

const byUrgency = (a: Check, b: Check): number => urgency[a.status] - urgency[b.status];

function sumOf(checks: readonly Check[]): string {
  const failed = checks.filter(({ status }) => status === 'fail').length;
  const warned = checks.filter(({ status }) => status === 'warn').length;
  if (checks.length === 0) return 'checks this machine';
  if (failed === 0 && warned === 0) return 'nothing is missing';
  return `${failed} to fix, ${warned} to know`;
}
