import type { Readable } from 'node:stream';
import { messageOf } from '../contract/errors.ts';
import { type Launched, launch, type ProcessExit } from '../runtime/launch.ts';
import { MAX_ANSWER_BYTES } from './answer.ts';
import { untilStopped } from './until-stopped.ts';

const MAX_STDERR_CHARS = 500;
/** How long its output is read after the process has exited. */
const DRAIN_MS = 500;

export interface CommandOptions {
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** PATH of the program. No other environment variable is inherited. */
  readonly searchPath: string;
  readonly home: string;
}

/**
 * Runs one hook in its own process group, which is killed when it exits or Capstan ends, and returns its output.
 *
 * @throws Error with the reason on one line if there is no answer.
 */
export async function runCommand(
  command: readonly [string, ...string[]],
  options: CommandOptions,
): Promise<string> {
  const child = await start(command, options);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input);
  try {
    const { text, exit } = await untilStopped(options, answered(child));
    if (exit.exitCode === 0) return text;
    const how = exit.signal ?? `exit code ${exit.exitCode ?? 'unknown'}`;
    throw new Error(`it ended with ${how}: ${stderr.trim()}`);
  } finally {
    child.kill('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Starts the hook in `/`, so that it does not depend on the current folder. */
async function start(
  argv: readonly [string, ...string[]],
  { searchPath, home }: CommandOptions,
): Promise<Launched> {
  const env = { PATH: searchPath, HOME: home, LANG: 'C.UTF-8' };
  try {
    return await launch({ argv, cwd: '/', env });
  } catch (error) {
    throw new Error(`it can't be started: ${messageOf(error)}`);
  }
}

async function answered({
  stdout,
  exited,
}: Launched): Promise<{ readonly text: string; readonly exit: ProcessExit }> {
  const read = readBounded(stdout);
  const exit = await Promise.race([exited, read.then(() => exited)]);
  const bytes = await Promise.race([read, read.soFarAfter(DRAIN_MS)]);
  return { text: decode(bytes), exit };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw new Error('its output is not UTF-8');
  }
}

type Reading = Promise<Buffer> & { soFarAfter(ms: number): Promise<Buffer> };

/**
 * The whole content of a stream. A process outside the group may keep it open: then the output so far is used, if there is
 * any: an answer that may still come does not count as no answer.
 */
function readBounded(stdout: Readable): Reading {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const soFar = () => Buffer.concat(chunks);
  const all = new Promise<Buffer>((resolve, reject) => {
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
      else reject(new Error(`it printed more than ${MAX_ANSWER_BYTES} bytes`));
    });
    stdout.once('close', () => resolve(soFar()));
    stdout.once('error', reject);
  });
  all.catch(() => undefined);
  const soFarAfter = (ms: number) =>
    new Promise<Buffer>((resolve, reject) => {
      const silent = new Error('it printed nothing, and another process keeps its output open');
      setTimeout(() => (bytes === 0 ? reject(silent) : resolve(soFar())), ms).unref();
    });
  return Object.assign(all, { soFarAfter });
}
