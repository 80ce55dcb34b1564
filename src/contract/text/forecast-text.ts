import type { Forecast, Range } from '../plan-preview.ts';

/**
 * `About $0.15 to $0.40 and 40 to 120 s, like 9 such runs. At most $1.00.` Runs that cost nothing are forecast without money.
 */
export function forecastText({
  cost_usd: cost,
  duration_ms: time,
  runs,
  cap_usd,
  is_free,
}: Forecast): string {
  const isFree = is_free || cost?.high === 0;
  const most = isFree ? '' : ` At most $${cap_usd.toFixed(2)}.`;
  const parts = [
    ...(cost && !isFree
      ? [range(cost, (usd) => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`)]
      : []),
    ...(time ? [`${range(time, seconds)} s`] : []),
  ];
  return parts.length > 0
    ? `About ${parts.join(' and ')}, like ${runs} such runs.${most}`
    : `No forecast: fewer than 3 such runs are known.${most}`;
}

function range({ low, high }: Range, shown: (value: number) => string): string {
  const [from, to] = [shown(low), shown(high)];
  return from === to ? from : `${from} to ${to}`;
}

const seconds = (ms: number): string =>
  ms < 10_000 ? (ms / 1_000).toFixed(1) : String(Math.round(ms / 1_000));
