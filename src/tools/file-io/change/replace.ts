import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../contract/errors.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { sha256, type Written, writeFile } from '../../files/write-file.ts';
import { MAX_REWRITTEN_BYTES, readToRewrite } from './edit.ts';

/** Every occurrence of a text, or of what a regular expression matches. */
export interface ReplaceOptions {
  readonly pattern?: string | undefined;
  readonly ignore_case: boolean;
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
}

export interface Replaced {
  /** Undefined if nothing was found, or the file is not UTF-8. */
  readonly content: Buffer | undefined;
  readonly count: number;
}

/** Replaces every occurrence in one file. Fails if there is none. */
export async function replaceInFile(
  path: string,
  options: ReplaceOptions,
  call: ToolCall,
): Promise<Written & { readonly count: number }> {
  const { old } = await readToRewrite(path, call);
  const { content, count } = await replacedAll(old, options).catch((error: unknown) => {
    throw failure(call, messageOf(error), error);
  });
  if (content === undefined) {
    const what = options.pattern === undefined ? 'old_text' : `/${options.pattern}/`;
    throw failure(call, `"${path}" does not contain ${what}; read the file and copy it exactly`);
  }
  return { ...(await writeFile(path, content, call, { seen: sha256(old) })), count };
}

/** @throws Error if the pattern is invalid, takes too long, or the result is too large. */
export async function replacedAll(old: Buffer, options: ReplaceOptions): Promise<Replaced> {
  const { pattern, ignore_case: ignoreCase, old_text: literal = '', new_text: to = '' } = options;
  const text = old.toString('utf8');
  const flags = ignoreCase ? 'gmi' : 'gm';
  // Only with `pattern` is `$1` a group.
  const found =
    pattern === undefined && !ignoreCase
      ? literally(text, literal, to)
      : await inWorker({
          text,
          source: pattern ?? escaped(literal),
          flags,
          to: pattern === undefined ? to.replaceAll('$', '$$$$') : to,
        });
  return found.count === 0 ? { content: undefined, count: 0 } : found;
}

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function literally(text: string, from: string, to: string): Replaced {
  const parts = text.split(from);
  const count = parts.length - 1;
  if (text.length + count * to.length > MAX_REWRITTEN_BYTES) throw tooLarge();
  return { content: Buffer.from(parts.join(to)), count };
}

const tooLarge = () => new Error(`the result would be larger than ${MAX_REWRITTEN_BYTES} bytes`);

const DEADLINE_MS = 5_000;

/** The bound on memory also ends a replacement that multiplies the text. */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { text, source, flags, to } = workerData;
let count = 0;
for (const _ of text.matchAll(new RegExp(source, flags))) count += 1;
parentPort.postMessage({ count, text: count === 0 ? '' : text.replace(new RegExp(source, flags), to) });
`;

/** In a thread that can be ended: a regular expression may be made to never finish. */
async function inWorker(workerData: {
  readonly text: string;
  readonly source: string;
  readonly flags: string;
  readonly to: string;
}): Promise<Replaced> {
  const worker = new Worker(workerSource, {
    eval: true,
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  try {
    const { count, text } = await answerOf(worker, workerData.source);
    if (text.length > MAX_REWRITTEN_BYTES) throw tooLarge();
    return { content: Buffer.from(text), count };
  } finally {
    await worker.terminate();
  }
}

const answerOf = (worker: Worker, source: string) =>
  new Promise<{ count: number; text: string }>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(
        new Error(
          `the pattern /${source}/ takes too long to match; avoid nested repetitions such as (a+)+`,
        ),
      );
    }, DEADLINE_MS);
    worker.on('message', resolve).on('error', (error: Error) => {
      const isTooLarge = /ERR_WORKER_OUT_OF_MEMORY|Invalid string length/.test(String(error.stack));
      reject(isTooLarge ? tooLarge() : error);
    });
    worker.once('exit', () => clearTimeout(timer));
  });
