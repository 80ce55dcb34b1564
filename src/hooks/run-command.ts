import { spawn } from 'node:child_process';

/** Most that a hook may print, in bytes. */
const MAX_OUTPUT_BYTES = 256 * 1024;

const MAX_STDERR_CHARS = 500;

export interface CommandOptions {
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** PATH of the program. Nothing else of our environment reaches it. */
  readonly searchPath: string;
  readonly home: string;
}

/**
 * Runs one hook in a process group of its own, which is ended with it, and returns what it printed.
 *
 * @throws Error that says in one line why there is no answer.
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  { input, timeoutMs, signal, searchPath, home }: CommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: searchPath, HOME: home, LANG: 'C.UTF-8' },
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      endGroup(child.pid);
      end();
    };
    const fail = (why: string) => settle(() => reject(new Error(why)));
    const onAbort = () => fail('the run ended first');
    const timer = setTimeout(() => fail(`it gave no answer within ${timeoutMs} ms`), timeoutMs);
    signal.addEventListener('abort', onAbort);
    child.once('error', (error) => fail(`it can't be started: ${error.message}`));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) fail(`it printed more than ${MAX_OUTPUT_BYTES} bytes`);
      else chunks.push(chunk);
    });
    child.once('close', (code, endedBy) => {
      if (code === 0) settle(() => resolve(Buffer.concat(chunks).toString('utf8').trim()));
      else fail(`it ended with ${endedBy ?? `exit code ${code}`}: ${stderr.trim()}`);
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: nobody is left in it.
  }
}
