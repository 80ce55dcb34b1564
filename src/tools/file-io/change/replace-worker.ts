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
export type ReplaceAnswer = { readonly count: number; readonly content: Uint8Array } | null;

/** Runs in a thread that can be ended: some patterns take forever. */
const { old, source, flags, to, maxBytes } = workerData as ReplaceRequest;
const text = Buffer.from(old.buffer, old.byteOffset, old.length).toString('utf8');
const replaced = replaceMatches(text, new RegExp(source, flags), to, maxBytes);
// The result is part of a buffer of `maxBytes`, all of which would be copied.
const content = Uint8Array.from(replaced?.content ?? []);
const answer: ReplaceAnswer = replaced ? { count: replaced.count, content } : null;
parentPort?.postMessage(answer, [content.buffer]);
