import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../contract/errors.ts';
import { CALL_MARK, endMarked } from './end-marked.ts';
import { onStdoutLetGo } from './let-go.ts';

export interface LaunchSpec {
  /** Program and arguments; `node` becomes this very Node. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** All that the process inherits. With `CAPSTAN_CALL`, what carries the same value ends with it, on Linux. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors that it gets as 3, 4, …: they are closed here, whatever happens. Default: none. */
  readonly fds?: readonly number[];
  /**
   * There are processes around it. SIGTERM would end them at once: it is not sent, the end of stdin asks it to go. They
   * keep stdout open: that the process closed it is seen from outside.
   */
  readonly isSealed?: boolean;
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

/** Kills the process groups that are still alive when this process exits. */
function killLiveGroups(): void {
  for (const pid of liveGroups) killGroup(pid, 'SIGKILL');
}

let killsOnExit = false;

/**
 * Starts a process in a group of its own.
 *
 * @throws Error that says in one line why it could not be started.
 */
export async function launch(spec: LaunchSpec): Promise<Launched> {
  const child = spawnInGroup(spec);
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    const [error] = await once(child, 'error');
    throw new Error(`${spec.argv[0]}: ${messageOf(error)}`);
  }
  // What can still go wrong shows in its exit.
  child.on('error', () => undefined);
  const endLooking = spec.isSealed ? onStdoutLetGo(pid, () => stdout.destroy()) : () => {};

  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      endLooking();
      killGroup(pid, 'SIGKILL');
      liveGroups.delete(pid);
      const end = { exitCode: exitCode ?? undefined, signal: signal ?? undefined };
      const mark = spec.env[CALL_MARK];
      if (mark === undefined) resolve(end);
      else void endMarked(mark).finally(() => resolve(end));
    });
  });
  liveGroups.add(pid);
  if (!killsOnExit) process.once('exit', killLiveGroups);
  killsOnExit = true;

  const kill = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (spec.isSealed && signal === 'SIGTERM') return;
    if (liveGroups.has(pid)) killGroup(pid, signal);
  };
  return { pid, stdin, stdout, stderr, exited, kill };
}

function spawnInGroup({ argv: [program, ...args], cwd, env, fds = [] }: LaunchSpec): ChildProcess {
  const path = program === 'node' ? process.execPath : program;
  try {
    return spawn(path, args, {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...fds],
    });
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

/** A group that is already gone is what was wanted. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {}
}
