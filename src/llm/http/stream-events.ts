import { LineSplitter } from '../../platform/text/lines.ts';
import { parseJson } from '../../platform/text/parse-json.ts';

/** Longest event or line of a stream, in bytes. */
const maxEventBytes = 4 * 1024 * 1024;

/** A stream whose content does not match its content type. */
export class StreamBroken extends Error {
  override readonly name = 'StreamBroken';
}

/**
 * The JSON documents of a server-sent event stream, up to `[DONE]`. Comments and fields other than `data` are ignored.
 *
 * @throws StreamBroken for a document that is not JSON, or exceeds 4 MiB.
 */
export async function* readServerSentEvents(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<unknown, void, undefined> {
  const { add, rest } = collectEvents();
  for await (const lines of readLines(chunks)) {
    for (const line of lines) {
      const text = add(line);
      if (text === '[DONE]') return;
      if (text !== '') yield parse(text);
    }
  }
  // The last event may lack its blank line, but not a part of its text.
  const last = parseJson(rest());
  if (last !== undefined) yield last;
}

function collectEvents() {
  let pending: string[] = [];
  let pendingBytes = 0;
  const rest = () => {
    const text = pending.join('\n').trim();
    pending = [];
    pendingBytes = 0;
    return text;
  };
  /** The data of the event that a line ends, if it does; otherwise empty. */
  const add = (line: string): string => {
    if (line === '') return rest();
    if (line.startsWith('data:')) {
      pendingBytes += line.length;
      if (pendingBytes > maxEventBytes) throw tooLong();
      pending.push(line.slice(5));
    }
    return '';
  };
  return { add, rest };
}

/** Whether the text after the last end of an event is one, and not the beginning of one that was cut off. */
const isWhole = (text: string): boolean => parseJson(text) !== undefined;

/** The documents of a stream with one JSON document per line. @throws StreamBroken */
export async function* readJsonLines(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const lines of readLines(chunks, isWhole)) {
    for (const line of lines) if (line.trim() !== '') yield parse(line);
  }
}

/**
 * The lines of each chunk.
 *
 * @param keepsRest Whether to return the text after the last line end. Default: always.
 */
async function* readLines(
  chunks: AsyncIterable<Buffer>,
  keepsRest: (text: string) => boolean = () => true,
): AsyncGenerator<readonly string[], void, undefined> {
  let lines: string[] = [];
  let isTooLong = false;
  const splitter = new LineSplitter({
    maxBytes: maxEventBytes,
    onLine: (line) => void lines.push(line.toString('utf8')),
    onTooLong: () => {
      isTooLong = true;
    },
  });
  for await (const chunk of chunks) {
    splitter.push(chunk);
    yield lines;
    lines = [];
    if (isTooLong) throw tooLong();
  }
  splitter.end();
  yield lines.filter(keepsRest);
}

const tooLong = () => new StreamBroken(`an event exceeds ${maxEventBytes} bytes`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StreamBroken(`an event is not JSON: ${text.trim().slice(0, 200)}`);
  }
}
