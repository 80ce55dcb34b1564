import { parentPort, workerData } from 'node:worker_threads';
import { replaceMatches } from './replace-matches.ts';

export interface ReplaceRequest {
  readonly old: Uint8Array;
  readonly source: string;
  readonly flags: string;
  readonly to: string;
  readonly maxBytes: number;
}

/** Null if the result is too large. */
export type ReplaceAnswer = NonNullable<ReturnType<typeof replaceMatches>> | null;

/** Runs in a thread that can be ended: some patterns take forever. */
const { old, source, flags, to, maxBytes } = workerData as ReplaceRequest;
const text = Buffer.from(old.buffer, old.byteOffset, old.length).toString('utf8');
parentPort?.postMessage(replaceMatches(text, new RegExp(source, flags), to, maxBytes) ?? null);
