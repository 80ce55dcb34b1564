import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../contract/errors.ts';
import { decodeUtf8 } from '../platform/text/lines.ts';
import { type Launched, launch } from '../runtime/process/launch.ts';
import { MAX_ANSWER_BYTES } from './hook.ts';

const MAX_STDERR_CHARS = 500;
/** How long its output is read after the process has exited. */
const DRAIN_MS = 500;

interface CommandOptions {
  readonly input: string;
  /** Kills it. */
  readonly ending: AbortSignal;
  /** PATH of the program. No other environment variable is inherited. */
  readonly searchPath: string;
  readonly home: string;
}

/**
 * Runs one hook in its own process group, which is killed when it exits or Capstan ends, and returns its output. It starts in
 * `/`, so that it does not depend on the current folder.
 *
 * @throws Error with the reason on one line if there is no answer.
 */
export async function runCommand(
  argv: readonly [string, ...string[]],
  { input, ending, searchPath, home }: CommandOptions,
): Promise<string> {
  const env = { PATH: searchPath, HOME: home, LANG: 'C.UTF-8' };
  const child = await launch({ argv, cwd: '/', env }).catch((error: unknown) => {
    throw new Error(`it can't be started: ${messageOf(error)}`);
  });
  const kill = () => child.kill('SIGKILL');
  ending.addEventListener('abort', kill);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined).end(input);
  try {
    if (ending.aborted) kill();
    const { bytes, exit } = await outputOf(child);
    if (exit.exitCode === 0) {
      const text = decodeUtf8(bytes);
      if (text === undefined) throw new Error('its output is not UTF-8');
      return text.trim();
    }
    const how = exit.signal ?? `exit code ${exit.exitCode ?? 'unknown'}`;
    throw new Error(`it ended with ${how}: ${stderr.trim()}`);
  } finally {
    kill();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/**
 * The whole output. A process outside the group may keep it open: then the output so far is used, if there is any: an answer
 * that may still come does not count as no answer.
 */
async function outputOf({ stdout, exited }: Launched) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const closed = new Promise<void>((resolve, reject) => {
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
      else reject(new Error(`it printed more than ${MAX_ANSWER_BYTES} bytes`));
    });
    stdout.once('close', resolve).once('error', reject);
  });
  const exit = await Promise.race([exited, closed.then(() => exited)]);
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
  if (bytes === 0 && !stdout.closed)
    throw new Error('it printed nothing, and another process keeps its output open');
  return { bytes: Buffer.concat(chunks), exit };
}
