import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../errors.ts';

export interface LaunchSpec {
  /** Program and arguments; `node` becomes this very Node. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** All that the process inherits. */
  readonly env: Readonly<Record<string, string>>;
}

/** A running process as the runner sees it: two lines of bytes, how it ended, and a way to end it. */
export interface Launched {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the process itself is gone; others may still hold its pipes. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Signals the whole process group: grandchildren too, those in a session of their own excepted. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

const liveGroups = new Set<number>();

/** Kills every process group that is still alive, at once. For a second Ctrl-C; runs by itself when this process exits. */
export function killAllCapsules(): void {
  for (const pid of liveGroups) killGroup(pid, 'SIGKILL');
}

let killsOnExit = false;

/**
 * Starts a process in a group of its own. execa is loaded at the first start: most commands never start one.
 *
 * @throws Error that says in one line why it could not be started.
 */
export async function launch(spec: LaunchSpec): Promise<Launched> {
  const { execa } = await import('execa');
  const [program, ...args] = spec.argv;
  const child = execa(program === 'node' ? process.execPath : program, args, {
    cwd: spec.cwd,
    env: spec.env,
    extendEnv: false,
    detached: true,
    buffer: false,
    reject: false,
    cleanup: false,
    encoding: 'buffer',
    stripFinalNewline: false,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program}: ${messageOf((await child).cause)}`);

  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      killGroup(pid, 'SIGKILL');
      liveGroups.delete(pid);
      resolve({ exitCode: exitCode ?? undefined, signal: signal ?? undefined });
    });
  });
  liveGroups.add(pid);
  if (!killsOnExit) process.once('exit', killAllCapsules);
  killsOnExit = true;

  const kill = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (liveGroups.has(pid)) killGroup(pid, signal);
  };
  return { pid, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, kill };
}

/** A group that is already gone is what was wanted. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {}
}
