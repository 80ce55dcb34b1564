import { messageOf } from '../../../contract/errors.ts';
import { sha256 } from '../../../platform/canonical-hash.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { type Written, writeFile } from '../../files/write-file.ts';
import { ThreadTimeout, WorkerThread } from '../../worker-thread.ts';
import type { FileIoArgs } from '../arguments.ts';
import { MAX_REWRITTEN_BYTES, readToRewrite } from './edit.ts';

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
  const old = await readToRewrite(path, call);
  const { content, count } = await replaceAll(old, given).catch((error: unknown) => {
    throw failure(call, messageOf(error), error);
  });
  if (count === 0) {
    const what = pattern === undefined ? 'old_text' : `/${pattern}/`;
    throw failure(call, `"${path}" does not contain ${what}; read the file and copy it exactly`);
  }
  return { ...(await writeFile(path, content, call, { seen: sha256(old) })), count };
}

/** @throws Error if the pattern is invalid, takes too long, or the result is too large. */
export async function replaceAll(old: Buffer, given: ReplaceArgs): Promise<Replaced> {
  const { pattern, ignore_case: ignoreCase, old_text: literal = '', new_text: to = '' } = given;
  const text = old.toString('utf8');
  if (pattern === undefined && !ignoreCase) return replaceLiterally(text, literal, to);
  const flags = ignoreCase ? 'gmi' : 'gm';
  // `$1` is a group only with `pattern`.
  return pattern === undefined
    ? replaceInThread({ text, source: escaped(literal), flags, to: to.replaceAll('$', '$$$$') })
    : replaceInThread({ text, source: pattern, flags, to });
}

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function replaceLiterally(text: string, from: string, to: string): Replaced {
  const parts = text.split(from);
  const count = parts.length - 1;
  if (text.length + count * to.length > MAX_REWRITTEN_BYTES) throw tooLarge();
  return { content: Buffer.from(parts.join(to)), count };
}

const tooLarge = () => new Error(`the result would be larger than ${MAX_REWRITTEN_BYTES} bytes`);

const DEADLINE_MS = 5_000;

const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { text, source, flags, to } = workerData;
let count = 0;
for (const _ of text.matchAll(new RegExp(source, flags))) count += 1;
parentPort.postMessage({ count, text: count === 0 ? '' : text.replace(new RegExp(source, flags), to) });
`;

/** The memory limit also ends a replacement that multiplies the text. */
async function replaceInThread(
  workerData: Readonly<Record<'text' | 'source' | 'flags' | 'to', string>>,
): Promise<Replaced> {
  await using thread = new WorkerThread(threadSource, { eval: true, workerData, maxHeapMb: 256 });
  try {
    const { count, text } = await thread.answer<{ count: number; text: string }>(DEADLINE_MS);
    if (text.length > MAX_REWRITTEN_BYTES) throw tooLarge();
    return { content: Buffer.from(text), count };
  } catch (error) {
    if (error instanceof ThreadTimeout) throw new Error(tooSlow(workerData.source));
    const { stack } = error as Error;
    throw /ERR_WORKER_OUT_OF_MEMORY|Invalid string length/.test(`${stack}`) ? tooLarge() : error;
  }
}

/** The problem with a pattern that did not finish in time. */
export const tooSlow = (pattern: string): string =>
  `the pattern /${pattern}/ takes too long to match; avoid nested repetitions such as (a+)+`;
