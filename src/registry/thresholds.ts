import type { Thresholds } from './route.ts';

/**
 * Measured with the seven capsules that ship: the best scores of 42 paraphrases of their tasks (`own`; 41 routed right by
 * either embedder), and of requests that are nobody's, taken from the development halves of CLINC150 and MetaTool
 * (`foreign`: 1,705 texts for static-en-256, 171 for all-MiniLM-L6-v2).
 *
 * | embedder | own: lowest / 10 % / median | foreign: median / 90 % / 95 % / 99 % |
 * |---|---|---|
 * | static-en-256 | .61 / .66 / .85 | .29 / .46 / .51 / .63 |
 * | all-MiniLM-L6-v2 | .40 / .56 / .80 | .22 / .34 / .42 / .48 |
 *
 * At `take` one foreign request in a hundred would be taken; at `create` nine in ten are recognised as new and no own task
 * is. The one that was routed wrong led by .11 (static) and .08 (MiniLM), hence the `lead`: on MetaTool, scores from .6 to
 * .7 are right in 56 % of all cases, and in 70 % of those that lead by .1.
 */
const byEmbedder = new Map<string, Thresholds>([
  ['static-en-256', { take: 0.62, create: 0.45, lead: 0.12 }],
  ['all-MiniLM-L6-v2', { take: 0.5, create: 0.34, lead: 0.12 }],
]);

/** Thresholds for an embedder; for one that was never measured, those of all-MiniLM-L6-v2. */
export const thresholdsFor = (embedder: string): Thresholds =>
  byEmbedder.get(embedder) ?? { take: 0.5, create: 0.34, lead: 0.12 };
