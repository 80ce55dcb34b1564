import type { Check } from '../../../app/doctor/check.ts';

const nextTexts: Readonly<Record<NonNullable<Check['next']>, string>> = {
  download_model: 'Download it with `capstan doctor --fix`, or set CAPSTAN_EMBEDDER=static.',
  reset_breaker: 'It is tried again by itself; `capstan doctor --fix` resets it now.',
  repair: '`capstan doctor --fix`',
  setup: '`capstan setup`',
};

/** What to type about a finding; undefined if nothing, or if its message says it. */
export const fixText = ({ next, fix }: Check): string | undefined =>
  next === undefined ? fix : nextTexts[next];

/** A finding as `--json` prints it. */
export const checkDocument = (check: Check) => ({
  area: check.area,
  name: check.name,
  status: check.status,
  found: check.message,
  fix: fixText(check) ?? null,
});
