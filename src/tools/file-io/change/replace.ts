import { messageOf } from '../../../contract/errors.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { type Written, writeFile } from '../../files/write-file.ts';
import { ThreadTimeout, WorkerThread } from '../../worker-thread.ts';
import type { FileIoArgs } from '../arguments.ts';
import {
  countOf,
  MAX_MATCHED_BYTES,
  MAX_REWRITTEN_BYTES,
  readToRewrite,
  replaceBytes,
  tooLarge,
} from './edit.ts';

type ReplaceArgs = Pick<FileIoArgs, 'pattern' | 'ignore_case' | 'old_text' | 'new_text'>;

interface Replaced {
  readonly content: Buffer;
  readonly count: number;
}

/** Replaces every occurrence of a text or a pattern in one file. Fails if there is none. */
export async function replaceInFile(
  given: FileIoArgs,
  call: ToolCall,
): Promise<Written & { readonly count: number }> {
  const { path, pattern } = given;
  const old = await readToRewrite(path, call, maxReplacedBytes(given));
  const { content, count } = await replaceAll(old, given).catch((error: unknown) => {
    throw failure(call, messageOf(error), error);
  });
  if (count === 0) {
    const what = pattern === undefined ? 'old_text' : `/${pattern}/`;
    throw failure(call, `"${path}" does not contain ${what}; read the file and copy it exactly`);
  }
  return { ...(await writeFile(path, content, call, { seen: sha256(old) })), count };
}

/** The largest file in which these arguments replace something, in bytes. */
export const maxReplacedBytes = ({ pattern, ignore_case }: ReplaceArgs): number =>
  pattern === undefined && !ignore_case ? MAX_REWRITTEN_BYTES : MAX_MATCHED_BYTES;

/** @throws Error if the pattern is invalid, takes too long, or the result is too large. */
export async function replaceAll(old: Buffer, given: ReplaceArgs): Promise<Replaced> {
  const { pattern, ignore_case: ignoreCase, old_text: literal = '', new_text: to = '' } = given;
  if (pattern === undefined && !ignoreCase)
    return replaceLiterally(old, Buffer.from(literal), Buffer.from(to));
  const flags = ignoreCase ? 'gmi' : 'gm';
  // `$1` is a group only with `pattern`.
  return pattern === undefined
    ? replaceInThread({ old, source: escaped(literal), flags, to: to.replaceAll('$', '$$$$') })
    : replaceInThread({ old, source: pattern, flags, to });
}

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function replaceLiterally(old: Buffer, from: Buffer, to: Buffer): Replaced {
  const count = countOf(old, from);
  return { content: replaceBytes(old, { from, to, count }), count };
}

const DEADLINE_MS = 5_000;

const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { old, source, flags, to, maxBytes } = workerData;
const text = Buffer.from(old.buffer, old.byteOffset, old.length).toString('utf8');
let count = 0;
for (const _ of text.matchAll(new RegExp(source, flags))) count += 1;
const made = count === 0 ? '' : text.replace(new RegExp(source, flags), to);
const isTooLarge = made.length > maxBytes;
parentPort.postMessage({ count, isTooLarge, content: isTooLarge ? '' : Buffer.from(made) });
`;

interface ThreadRequest {
  readonly old: Buffer;
  readonly source: string;
  readonly flags: string;
  readonly to: string;
}

/** The memory limit also ends a replacement that multiplies the text. */
async function replaceInThread(request: ThreadRequest): Promise<Replaced> {
  const maxBytes = MAX_MATCHED_BYTES;
  const workerData = { ...request, maxBytes };
  await using thread = new WorkerThread(threadSource, { eval: true, workerData, maxHeapMb: 96 });
  try {
    const found = await thread.answer<ThreadAnswer>(DEADLINE_MS);
    if (found.isTooLarge) throw tooLarge(maxBytes);
    return { count: found.count, content: Buffer.from(found.content) };
  } catch (error) {
    if (error instanceof ThreadTimeout) throw new Error(tooSlow(request.source));
    const { stack } = error as Error;
    const isTooLarge = /ERR_WORKER_OUT_OF_MEMORY|Invalid string length/.test(`${stack}`);
    throw isTooLarge ? tooLarge(maxBytes) : error;
  }
}

interface ThreadAnswer {
  readonly count: number;
  readonly isTooLarge: boolean;
  readonly content: Uint8Array;
}

/** The problem with a pattern that did not finish in time. */
export const tooSlow = (pattern: string): string =>
  `the pattern /${pattern}/ takes too long to match; avoid nested repetitions such as (a+)+`;
