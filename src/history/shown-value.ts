import { canonicalJson } from '../platform/canonical-hash.ts';

/** A value as a divergence shows it. */
export const shownValue = (value: unknown): string =>
  typeof value === 'string' ? value : canonicalJson(value ?? null);
