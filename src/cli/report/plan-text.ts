import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { forecastText } from '../../contract/text/forecast-text.ts';
import { printable } from '../../contract/text/printable.ts';
import { formatTable } from '../format.ts';

type Planned = Pick<RunDocument, 'plan' | 'forecast'>;
type PlannedStep = NonNullable<RunDocument['plan']>[number];

/** The plan of a dry run, one line for each step, then the forecast. Empty if the run made no plan to show. */
export function planText({ plan, forecast }: Planned): string {
  if (!plan) return '';
  const rows = plan.map((step, index) => [
    `${index + 1} ${printable(step.description.split('\n')[0] ?? '')}`,
    capsuleText(step),
    step.hint ?? '',
    afterText(step, plan),
  ]);
  return `${formatTable(rows)}${forecast ? `${forecastText(forecast)}\n` : ''}`;
}

const capsuleText = ({ capsule_id, route }: PlannedStep): string =>
  capsule_id ?? (route === 'create' ? '(a new capsule)' : '(no capsule fits)');

function afterText({ depends_on }: PlannedStep, plan: readonly PlannedStep[]): string {
  const numbers = depends_on.map((id) => plan.findIndex((one) => one.id === id) + 1);
  return numbers.length > 0 ? `after ${numbers.join(', ')}` : '';
}
