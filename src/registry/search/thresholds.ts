import type { Thresholds } from './route.ts';

/**
 * Measured with the seven capsules that ship: the best scores of 41 paraphrases of their tasks (`own`; all routed right by
 * either embedder), and of requests that are nobody's: every fifth text of the development halves of CLINC150 and MetaTool
 * (`foreign`, 1,705 texts).
 *
 * | embedder | own: lowest / 10 % / median | foreign: median / 90 % / 95 % / 99 % |
 * |---|---|---|
 * | static-en-256 | .61 / .67 / .93 | .23 / .39 / .44 / .55 |
 * | all-MiniLM-L6-v2 | .41 / .59 / .89 | .18 / .31 / .36 / .44 |
 *
 * At `take` one foreign request in a hundred would be taken; at `create` more than nine in ten are recognised as new and no
 * own task is. Nine foreign requests in ten lead by .12 at most, nine own ones in ten by .2 at least: hence the `lead`.
 */
const byEmbedder = new Map<string, Thresholds>([
  ['static-en-256', { take: 0.56, create: 0.43, lead: 0.12 }],
  ['all-MiniLM-L6-v2', { take: 0.44, create: 0.33, lead: 0.12 }],
]);

/** Thresholds for an embedder. Default: those of all-MiniLM-L6-v2. */
export const thresholdsFor = (embedder: string): Thresholds =>
  byEmbedder.get(embedder) ?? { take: 0.44, create: 0.33, lead: 0.12 };
