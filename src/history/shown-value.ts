import { canonicalJson } from '../platform/canonical-hash.ts';

/** A value in the form that a divergence shows. */
export const shownValue = (value: unknown): string =>
  typeof value === 'string' ? value : canonicalJson(value ?? null);
