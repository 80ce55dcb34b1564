import { expect, it } from 'vitest';
import { forecastText } from './forecast-text.ts';

const forecast = (low: number, high: number) =>
  forecastText({
    cost_usd: { low, high },
    duration_ms: { low: 4_000, high: 12_000 },
    runs: 9,
    cap_usd: 1,
  });

it.each([
  [0.15, 0.4, 'About $0.15 to $0.40 and 4.0 to 12 s, like 9 such runs. At most $1.00.'],
  [0, 0.4, 'About $0.00 to $0.40 and 4.0 to 12 s, like 9 such runs. At most $1.00.'],
  [0.0012, 0.4, 'About $0.0012 to $0.40 and 4.0 to 12 s, like 9 such runs. At most $1.00.'],
  [0, 0, 'About 4.0 to 12 s, like 9 such runs.'],
])('shows costs from %d to %d dollars', (low, high, text) => {
  expect(forecast(low, high)).toBe(text);
});

it('names no limit for a model that costs nothing', () => {
  const none = { cost_usd: null, duration_ms: null, runs: 0, cap_usd: 1 };
  expect(forecastText({ ...none, is_free: true })).not.toContain('$');
  expect(forecastText(none)).toContain('At most $1.00.');
});
