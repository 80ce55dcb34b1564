import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { printable } from '../../contract/text/printable.ts';
import { formatCost, formatSeconds, formatTable } from '../format.ts';

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

/** `About $0.15 to $0.40 and 40 s to 2 min 00 s, like 9 such runs. At most $1.00.` */
function forecastText(forecast: NonNullable<RunDocument['forecast']>): string {
  const { cost_usd: cost, duration_ms: time, runs, cap_usd } = forecast;
  const parts = [
    ...(cost && cost.high > 0 ? [`${formatCost(cost.low)} to ${formatCost(cost.high)}`] : []),
    ...(time ? [`${formatSeconds(time.low)} to ${formatSeconds(time.high)}`] : []),
  ];
  const limit = `At most ${formatCost(cap_usd)}.`;
  return parts.length > 0
    ? `About ${parts.join(' and ')}, like ${runs} such runs. ${limit}`
    : `Too few such runs to forecast cost and time. ${limit}`;
}
