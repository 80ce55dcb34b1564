import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { TaskError } from '../task-error.ts';

/** Bytes asked for at once: stays under the line limit of the protocol after JSON escapes. */
const CHUNK_BYTES = 3 * 1024 * 1024;
/** Larger files would need more reads than one attempt is granted. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

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
 * Reads a file through `file_io` in chunks of whole lines; only one is held at a time.
 *
 * @throws TaskError `INPUT_TOO_LARGE` over `MAX_FILE_BYTES`, or where one line is longer than a chunk.
 */
export async function* readChunks(context: HandlerContext, path: string): AsyncGenerator<Chunk> {
  let fromLine = 1;
  for (;;) {
    const answer = await readAt(context, path, fromLine);
    const next = nextLine(answer, fromLine, path);
    const isLast = next === undefined;
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
  if (answer.bytes > MAX_FILE_BYTES) throw tooLarge(path, answer.bytes);
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

const tooLarge = (path: string, bytes: number): TaskError =>
  new TaskError(
    'INPUT_TOO_LARGE',
    `${path} has ${bytes} bytes; without a language model at most ${MAX_FILE_BYTES} are analysed. Split it, or give a part of it.`,
  );

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
