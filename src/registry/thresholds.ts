import type { Thresholds } from './route.ts';

const byEmbedder = new Map<string, Thresholds>([
  ['static-en-256', { take: 0.6, create: 0.32 }],
  ['all-MiniLM-L6-v2', { take: 0.6, create: 0.32 }],
]);

/** Thresholds for an embedder; those of all-MiniLM-L6-v2 for one that was never measured. */
export const thresholdsFor = (embedder: string): Thresholds =>
  byEmbedder.get(embedder) ?? { take: 0.6, create: 0.32 };
