import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
 * Starts a process in a group of its own.
 *
 * @throws Error that says in one line why it could not be started.
 */
export async function launch({ argv, cwd, env }: LaunchSpec): Promise<Launched> {
  const [program, ...args] = argv;
  const path = program === 'node' ? process.execPath : program;
  const child = spawn(path, args, { cwd, env, detached: true, stdio: 'pipe' });
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, 'error');
    throw new Error(`${program}: ${messageOf(error)}`);
  }
  // What can still go wrong shows in its exit.
  child.on('error', () => undefined);

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
