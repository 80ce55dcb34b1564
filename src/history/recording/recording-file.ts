import * as z from 'zod';
import { AppError, messageOf } from '../../contract/errors.ts';
import { issueLine } from '../../contract/text/issue-line.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { Recording } from './recording.ts';

/** Longer recordings are neither written nor read. */
export const MAX_RECORDING_BYTES = 64 * 1024 * 1024;

const parts = ['run', 'subtasks', 'attempts', 'intents', 'files', 'capsules'] as const;

/**
 * The text of a recording file: known secrets are redacted, and hashes of its parts and of the whole are at its end. They
 * detect damage and accidental edits, but not forgery.
 *
 * @throws AppError `RECORDING_INVALID` if it would be longer than 64 MiB.
 */
export function writeRecording(recording: Recording, redactor: Redactor): string {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(recording));
  const clean = redactor.redact(plain);
  const text = `${JSON.stringify({ ...clean, sha256: hashesOf(clean) }, undefined, 1)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RECORDING_BYTES) {
    const problem = `it would have ${bytes} bytes; the limit is ${MAX_RECORDING_BYTES}`;
    throw new AppError('RECORDING_INVALID', { path: `run ${recording.run.id}`, problem });
  }
  return text;
}

/**
 * Reads the text of a recording file and checks its hashes and its format.
 *
 * @param path For errors.
 * @throws AppError `RECORDING_INVALID`.
 */
export function readRecording(text: string, path: string): Recording {
  const fail = (problem: string) => new AppError('RECORDING_INVALID', { path, problem });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw fail(`it is not JSON (${messageOf(error)})`);
  }
  const head = Head.safeParse(document);
  if (!head.success) throw fail(problemIn({ issues: head.error.issues.slice(0, 1) }));
  const { sha256, ...content } = head.data;
  const found = hashesIn(content, fail);
  const changed = parts.filter((part) => sha256[part] !== found[part]);
  if (changed.length > 0) {
    throw fail(`it was changed after it was written, in: ${changed.join(', ')}`);
  }
  if (sha256.whole !== found['whole']) throw fail('it was changed after it was written');
  const recording = Recording.safeParse(content);
  if (!recording.success) throw fail(problemIn(recording.error));
  return recording.data;
}

/** A document that is nested too deeply can't be hashed. */
function hashesIn(content: Record<string, unknown>, fail: (problem: string) => AppError) {
  try {
    return hashesOf(content);
  } catch (error) {
    throw fail(`it can't be hashed (${messageOf(error)})`);
  }
}

const Head = z.looseObject({
  format: z.literal('capstan-recording', 'it is not a recording of a Capstan run'),
  version: z.literal(1, {
    error: ({ input }) =>
      typeof input === 'number' && input > 1
        ? 'it was written by a newer version of Capstan'
        : 'its version is missing',
  }),
  sha256: z.record(z.enum([...parts, 'whole']), z.string(), 'its hashes are missing at its end'),
});

const MAX_PROBLEM_CHARS = 1_000;

const problemIn = (error: Pick<z.ZodError, 'issues'>): string =>
  issueLine(error).slice(0, MAX_PROBLEM_CHARS);

/** Hashes of each part, so that an error can name it, and of the whole. */
const hashesOf = (content: Record<string, unknown>): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...parts.map((part) => [part, canonicalHash(content[part] ?? null)]),
    ['whole', canonicalHash(content)],
  ]);
