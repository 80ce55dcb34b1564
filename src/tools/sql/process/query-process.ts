import { once } from 'node:events';
import { launch } from '../../../runtime/process/launch.ts';
import type { SpawnPlan } from '../../../runtime/sandbox/sandbox.ts';
import { SIZES_BYTES, type SqlRequest } from './sql-protocol.ts';

/** Limit of one reply, in bytes: the rows, and a file of up to 64 MiB. */
const MAX_REPLY_BYTES = 128 * 1024 * 1024;
const MAX_STDERR_CHARS = 2_000;

/** A running query process. It answers one request at a time. */
export interface QueryProcess {
  /** Undefined if it ended before its reply was whole. */
  ask(request: SqlRequest): Promise<Reply | undefined>;
  /** Closes its stdin, which ends it. */
  end(): void;
  kill(): void;
  isRunning(): boolean;
  /** How long its requests took together, in milliseconds. */
  busyMs(): number;
  /** The end of what it wrote to stderr. */
  errors(): string;
}

export interface Reply {
  /** JSON. */
  readonly answer: string;
  readonly content: Buffer;
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
  const ask = (request: SqlRequest) =>
    new Promise<Reply | undefined>((resolve) => {
      const beganMs = performance.now();
      const add = replyReader(kill);
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

/** Collects the chunks of a reply, and returns it when it is whole. */
function replyReader(refuse: () => void): (chunk: Buffer) => Reply | undefined {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < SIZES_BYTES) return undefined;
    if (bytes - chunk.length < SIZES_BYTES) chunks = [Buffer.concat(chunks)];
    const [first = chunk] = chunks;
    const answerEnd = SIZES_BYTES + first.readUInt32LE(0);
    const end = answerEnd + first.readUInt32LE(4);
    if (end > MAX_REPLY_BYTES) {
      refuse();
      chunks = [first];
      bytes = first.length;
    }
    if (bytes < end) return undefined;
    const whole = Buffer.concat(chunks);
    return {
      answer: whole.toString('utf8', SIZES_BYTES, answerEnd),
      content: whole.subarray(answerEnd, end),
    };
  };
}
