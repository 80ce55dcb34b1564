import type { Thresholds } from './route.ts';

/**
 * Measured with the capsules that ship: the best scores of paraphrases of their tasks, all routed right (`own`), and of
 * requests that are nobody's, taken from the development halves of CLINC150 and MetaTool (`foreign`).
 *
 * | embedder | own: lowest / tenth / median | foreign: median / 90 % / 95 % / 99 % |
 * |---|---|---|
 * | static-en-256 | .62 / .63 / .82 | .23 / .45 / .50 / .62 |
 * | all-MiniLM-L6-v2 | .41 / .47 / .76 | .17 / .33 / .40 / .48 |
 *
 * `take` lies where one foreign request in a hundred or less would be taken, `create` where nine in ten of them are
 * recognised as new at the latest and no own task is.
 */
const byEmbedder = new Map<string, Thresholds>([
  ['static-en-256', { take: 0.62, create: 0.45 }],
  ['all-MiniLM-L6-v2', { take: 0.48, create: 0.33 }],
]);

/** Thresholds for an embedder; for one that was never measured, those of all-MiniLM-L6-v2. */
export const thresholdsFor = (embedder: string): Thresholds =>
  byEmbedder.get(embedder) ?? { take: 0.48, create: 0.33 };
