import type { PlanPreview } from '../../../contract/plan-preview.ts';
import { forecastText } from '../../../contract/text/forecast-text.ts';
import { oneLine } from '../../lists/cell-text.ts';
import type { ListColumn } from '../../lists/columns/list-column.ts';
import { listLines } from '../../lists/list-lines.ts';
import type { Frame } from '../frame.ts';

type Step = PlanPreview['steps'][number];

/** Draws the steps of a plan with their capsule, model class and dependencies, then the forecast. Text is escaped. */
export function planLines(
  plan: Pick<PlanPreview, 'phase' | 'steps' | 'forecast'>,
  frame: Frame,
): readonly string[] {
  const { width, symbols, style } = frame;
  const list = { width: width - 2, symbols, style, now: new Date(0), spinner: '', home: undefined };
  const rows = listLines(plan.steps, columnsOf(plan.steps), list);
  const first =
    plan.phase === 'discovery'
      ? ['  These steps only gather information; their results determine the next steps.']
      : [];
  return [...rows.flat().map((line) => `  ${line}`), ...first, `  ${forecastText(plan.forecast)}`];
}

const columnsOf = (steps: readonly Step[]): readonly ListColumn<Step>[] => [
  {
    name: 'description',
    cell: (step) => `${steps.indexOf(step) + 1} ${oneLine(step.description)}`,
    cut: 'text',
  },
  { name: 'capsule', cell: capsuleText, isAfterText: true, drop: 2 },
  { name: 'hint', cell: ({ hint }) => hint ?? '', isAfterText: true, drop: 0 },
  { name: 'after', cell: (step) => afterText(step, steps), isAfterText: true, drop: 1 },
];

function capsuleText({ capsule_id, route }: Step): string {
  if (route === 'create') return 'a new capsule (asks)';
  return capsule_id === null
    ? 'no capsule'
    : `${oneLine(capsule_id)}${route === 'close' ? '?' : ''}`;
}

function afterText({ depends_on }: Step, steps: readonly Step[]): string {
  const numbers = depends_on.flatMap((id) => {
    const at = steps.findIndex((step) => step.id === id);
    return at < 0 ? [] : [at + 1];
  });
  return numbers.length > 0 ? `after ${numbers.join(', ')}` : '';
}
