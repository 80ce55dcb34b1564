import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { TaskError } from '../task-error.ts';

/** Bytes asked for at once: stays under the line limit of the protocol after JSON escapes. The tool may give less. */
const CHUNK_BYTES = 3 * 1024 * 1024;
/** Reads that one attempt can spend: it is granted 50 requests by default, and some are kept for writing. */
const MAX_READS = 45;
/** Held and looked at as a whole before a question is read against it; of larger files, this much of the beginning. */
const HEAD_BYTES = 8 * 1024 * 1024;

/** Whole lines of a file, in order. */
export interface Chunk {
  readonly text: string;
  /** Number of its first line, from 1. */
  readonly fromLine: number;
  readonly isLast: boolean;
  /** Size of the whole file. */
  readonly bytes: number;
}

interface ReadAnswer {
  readonly content: string;
  readonly bytes: number;
  readonly next_line?: number | null;
  readonly truncated?: boolean;
  readonly line_cut?: boolean;
}

/**
 * Reads a file through `file_io`: first as much as is looked at to learn what it holds, then chunks of whole lines, one at a time.
 *
 * @throws TaskError `INPUT_TOO_LARGE` where it takes more reads than an attempt has, or where one line is longer than a chunk.
 */
export async function openChunks(
  context: HandlerContext,
  path: string,
): Promise<{ head: Chunk; rest: AsyncGenerator<Chunk> }> {
  const rest = readChunks(context, path);
  const parts: Chunk[] = [];
  for (let held = 0; held < HEAD_BYTES; held += parts.at(-1)?.text.length ?? 0) {
    const { value } = await rest.next();
    if (!value) break;
    parts.push(value);
    if (value.isLast) break;
  }
  const last = parts.at(-1);
  const text = parts.map((part) => part.text).join('');
  return {
    head: { text, fromLine: 1, isLast: last?.isLast ?? true, bytes: last?.bytes ?? 0 },
    rest,
  };
}

async function* readChunks(context: HandlerContext, path: string): AsyncGenerator<Chunk> {
  let fromLine = 1;
  for (;;) {
    const answer = await readAt(context, path, fromLine);
    const next = nextLine(answer, fromLine, path);
    const isLast = next === undefined;
    if (fromLine === 1) assertReadable(path, answer);
    const text = isLast || answer.content.endsWith('\n') ? answer.content : `${answer.content}\n`;
    yield {
      text: fromLine === 1 ? withoutMark(text) : text,
      fromLine,
      isLast,
      bytes: answer.bytes,
    };
    if (next === undefined) return;
    fromLine = next;
  }
}

function assertReadable(path: string, { content, bytes }: ReadAnswer): void {
  const chunkBytes = Buffer.byteLength(content);
  if (bytes <= chunkBytes * MAX_READS) return;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `${path} has ${bytes} bytes; without a language model at most ${chunkBytes * MAX_READS} are analysed (${MAX_READS} reads of ${chunkBytes}). Give a part of it, such as one day.`,
  );
}

async function readAt(
  context: HandlerContext,
  path: string,
  fromLine: number,
): Promise<ReadAnswer> {
  const args = { operation: 'read', path, from_line: fromLine, max_bytes: CHUNK_BYTES };
  const answer = (await context.call('file_io', args, `Read ${path} to analyse it`)) as ReadAnswer;
  if (typeof answer?.content !== 'string') {
    throw new TaskError('TOOL_FAILED', `file_io gave no content for ${path}.`);
  }
  return answer;
}

function nextLine(answer: ReadAnswer, fromLine: number, path: string): number | undefined {
  const next = answer.next_line;
  const isCut = answer.line_cut === true;
  if (!isCut && typeof next === 'number' && next > fromLine) return next;
  if (!isCut && answer.truncated !== true) return undefined;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `Line ${fromLine} of ${path} is longer than ${CHUNK_BYTES} bytes; it can't be read in parts.`,
  );
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
