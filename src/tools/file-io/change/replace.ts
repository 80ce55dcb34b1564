import { messageOf } from '../../../contract/errors.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { builtScript } from '../../built-script.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { writeFile } from '../../files/write-file.ts';
import { ThreadTimeout, WorkerThread } from '../../worker-thread.ts';
import type { FileIoArgs } from '../arguments.ts';
import {
  countOf,
  lineEndsOf,
  MAX_MATCHED_BYTES,
  MAX_REWRITTEN_BYTES,
  readToRewrite,
  replaceBytes,
  tooLarge,
} from './edit.ts';
import type { ReplaceAnswer, ReplaceRequest } from './replace-worker.ts';

type ReplaceArgs = Pick<FileIoArgs, 'path' | 'pattern' | 'ignore_case' | 'old_text' | 'new_text'>;

/** Replaces every occurrence of a text or a pattern in one file. Fails if there is none. */
export async function replaceInFile(given: FileIoArgs, call: ToolCall) {
  const { path } = given;
  const old = await readToRewrite(path, call, maxReplacedBytes(given));
  const { content, count } = await replaceAll(old, given).catch((error: unknown) => {
    throw failure(call, messageOf(error), error);
  });
  return { ...(await writeFile(path, content, call, { seen: sha256(old) })), count };
}

/** The largest file in which these arguments replace something, in bytes. */
export const maxReplacedBytes = ({ pattern, ignore_case }: Omit<ReplaceArgs, 'path'>): number =>
  pattern === undefined && !ignore_case ? MAX_REWRITTEN_BYTES : MAX_MATCHED_BYTES;

/** @throws Error if nothing matches, the pattern is invalid or takes too long, or the result is too large. */
export async function replaceAll(old: Buffer, given: ReplaceArgs) {
  const { path, pattern } = given;
  const made = await replaceIn(old, given);
  if (made.count > 0) return made;
  const what = pattern === undefined ? 'old_text' : `/${pattern}/`;
  throw new Error(`"${path}" does not contain ${what}; read the file and copy it exactly`);
}

async function replaceIn(old: Buffer, given: ReplaceArgs) {
  const { pattern, ignore_case: ignoreCase, old_text = '', new_text = '' } = given;
  const withLineEnds = lineEndsOf(old, [pattern, old_text, new_text]);
  const [literal, to] = [withLineEnds(old_text), withLineEnds(new_text)];
  if (pattern === undefined && !ignoreCase) {
    const from = Buffer.from(literal);
    const count = countOf(old, from);
    return { content: replaceBytes(old, from, Buffer.from(to), count), count };
  }
  const flags = ignoreCase ? 'gmi' : 'gm';
  // `$1` is a group only with `pattern`.
  return pattern === undefined
    ? replaceInThread({ old, source: escaped(literal), flags, to: to.replaceAll('$', '$$$$') })
    : replaceInThread({ old, source: pattern, flags, to });
}

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const DEADLINE_MS = 5_000;

async function replaceInThread(request: Omit<ReplaceRequest, 'maxBytes'>) {
  const maxBytes = MAX_MATCHED_BYTES;
  const workerData: ReplaceRequest = { ...request, maxBytes };
  const script = builtScript('replace-worker.cjs', 'file_io');
  await using thread = new WorkerThread(script, { workerData, maxHeapMb: 96 });
  const answer = await thread.answer<ReplaceAnswer>(DEADLINE_MS).catch((error: unknown) => {
    throw error instanceof ThreadTimeout ? new Error(tooSlow(request.source)) : error;
  });
  if (answer === null) throw tooLarge(maxBytes);
  return { count: answer.count, content: Buffer.from(answer.content.buffer) };
}

/** The problem with a pattern that did not finish in time. */
export const tooSlow = (pattern: string): string =>
  `the pattern /${pattern}/ takes too long to match; avoid nested repetitions such as (a+)+`;
