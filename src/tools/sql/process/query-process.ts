import { once } from 'node:events';
import { launch } from '../../../runtime/process/launch.ts';
import type { SpawnPlan } from '../../../runtime/sandbox/sandbox.ts';
import type { Spool } from '../../files/spool.ts';
import { MAX_CONTENT_BYTES, SIZES_BYTES, type SqlRequest } from './sql-protocol.ts';

/** Limit of the rows of a reply as JSON, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_STDERR_CHARS = 2_000;

/** A running query process. It answers one request at a time. */
export interface QueryProcess {
  /** The answer, as JSON; undefined if it ended before its reply was whole. The content after it is added to the spool. */
  ask(request: SqlRequest, content: Spool): Promise<string | undefined>;
  /** Closes its stdin, which ends it. */
  end(): void;
  kill(): void;
  isRunning(): boolean;
  /** How long its requests took together, in milliseconds. */
  busyMs(): number;
  /** The end of what it wrote to stderr. */
  errors(): string;
}

/** @throws Error if it can't be started. */
export async function startQueryProcess(
  plan: SpawnPlan,
  fds: readonly number[],
): Promise<QueryProcess> {
  const child = await launch({ ...plan, keptFds: fds });
  const { stdin, stdout, stderr } = child;
  const kill = () => child.kill('SIGKILL');
  let errors = '';
  let isRunning = true;
  let busyMs = 0;
  stdin.on('error', () => undefined);
  stdout.on('error', () => undefined).resume();
  stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MAX_STDERR_CHARS);
  });
  const closed = [stdout, stderr].map((pipe) => once(pipe, 'close'));
  const ended = Promise.all([child.exited, ...closed]).then(() => {
    isRunning = false;
  });
  const ask = (request: SqlRequest, content: Spool) =>
    new Promise<string | undefined>((resolve) => {
      const beganMs = performance.now();
      const add = replyReader(content, kill);
      const take = (chunk: Buffer) => {
        const reply = add(chunk);
        if (reply === undefined) return;
        stdout.off('data', take);
        busyMs += performance.now() - beganMs;
        resolve(reply);
      };
      stdout.on('data', take);
      void ended.then(() => resolve(undefined));
      stdin.write(`${JSON.stringify(request)}\n`);
    });
  return {
    ...{ ask, end: () => void stdin.end(), kill },
    ...{ isRunning: () => isRunning, busyMs: () => busyMs, errors: () => errors.trim() },
  };
}

/** Collects the chunks of a reply, with its content in the spool, and returns the answer when the reply is whole. */
function replyReader(content: Spool, refuse: () => void): (chunk: Buffer) => string | undefined {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let answer: string | undefined;
  let ends = { answer: Number.POSITIVE_INFINITY, content: Number.POSITIVE_INFINITY };
  const readSizes = () => {
    chunks = [Buffer.concat(chunks)];
    const [first] = chunks as [Buffer];
    const answerEnd = SIZES_BYTES + first.readUInt32LE(0);
    ends = { answer: answerEnd, content: answerEnd + first.readUInt32LE(4) };
  };
  return (chunk) => {
    bytes += chunk.length;
    if (answer === undefined) chunks.push(chunk);
    else content.add(chunk);
    if (bytes >= SIZES_BYTES && bytes - chunk.length < SIZES_BYTES) readSizes();
    const isTooLong =
      ends.content !== Number.POSITIVE_INFINITY &&
      (ends.answer > MAX_ANSWER_BYTES || ends.content - ends.answer > MAX_CONTENT_BYTES);
    if (isTooLong) {
      refuse();
      chunks = [];
      return undefined;
    }
    if (answer === undefined && bytes >= ends.answer) {
      const whole = Buffer.concat(chunks.splice(0));
      answer = whole.toString('utf8', SIZES_BYTES, ends.answer);
      content.add(whole.subarray(ends.answer));
    }
    return bytes < ends.content ? undefined : answer;
  };
}
