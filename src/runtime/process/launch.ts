import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { messageOf } from '../../contract/errors.ts';
import { findLinuxPrograms } from '../sandbox/find/programs.ts';
import { startBounded } from './process-bound.ts';
import { CALL_MARK, killMarked, sendSignal } from './process-tree.ts';

export interface LaunchSpec {
  /** Program and arguments; `node` becomes the running Node, unless it is looked up in PATH. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** The complete environment. With `CAPSTAN_CALL`, processes with the same value are killed with it on Linux, if it has no control group. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors that it gets as 3, 4, …. They are always closed here, even after an error. Default: none. */
  readonly fds?: readonly number[];
  /** Those of them that the caller closes. Default: none. */
  readonly keptFds?: readonly number[];
  /** Whether sandbox processes wrap it. SIGTERM would kill those, so it is not sent, and the end of stdin asks it to exit. */
  readonly isSealed?: boolean;
  /** Whether `node`, too, is looked up in PATH: a command of the workspace uses its own. Default: false. */
  readonly isFromPath?: boolean;
  /** Whether it gets a control group, which limits and ends all that it starts, if one can be created. Default: false. */
  readonly isBounded?: boolean;
}

/** A running process: its streams, its exit, and a function to kill it. */
export type Launched = Awaited<ReturnType<typeof launch>>;

export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

const liveGroups = new Set<number>();

/** Kills the process groups that are still alive when this process exits. */
function killLiveGroups(): void {
  for (const pid of liveGroups) sendSignal(-pid, 'SIGKILL');
}

let killsOnExit = false;
let isLimited = false;

/** Without core files of this process, which has keys in its memory, and of those that it starts. Needs prlimit(1). */
function limitCoreFiles(): void {
  if (isLimited || process.platform !== 'linux') return;
  isLimited = true;
  const { prlimit } = findLinuxPrograms();
  if (prlimit) spawnSync(prlimit, [`--pid=${process.pid}`, '--core=0'], { stdio: 'ignore' });
}

/**
 * Starts a process in its own process group, before it returns its promise.
 *
 * @throws Error with the reason on one line if it could not be started; the cause is the system's error.
 */
export async function launch(spec: LaunchSpec) {
  // A sandbox of processes has its own limits.
  if (!spec.isSealed) limitCoreFiles();
  const { child, group } = spec.isBounded
    ? startBounded(() => spawnInGroup(spec))
    : { child: spawnInGroup(spec), group: undefined };
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    const [error] = await once(child, 'error');
    await group?.end();
    throw notStarted(spec, error);
  }
  // Later failures are reported by its exit.
  child.on('error', () => undefined);
  const ended = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      sendSignal(-pid, 'SIGKILL');
      liveGroups.delete(pid);
      resolve({ exitCode: exitCode ?? undefined, signal: signal ?? undefined });
    });
  });
  const mark = spec.env[CALL_MARK];
  const exited = ended.then(async (exit) => {
    if (group) await group.end();
    else if (mark !== undefined) await killMarked(mark).catch(() => undefined);
    return exit;
  });
  liveGroups.add(pid);
  if (!killsOnExit) process.once('exit', killLiveGroups);
  killsOnExit = true;

  return {
    pid,
    stdin,
    stdout,
    stderr,
    /** The control group of all that it starts, if it has one. */
    group,
    /** Resolves when the process itself has exited. Never rejects. */
    ended,
    /** The same, once those are killed that it left behind; others may still hold its pipes. Never rejects. */
    exited,
    /** Signals the whole process group, including grandchildren, except those in their own session. */
    kill(signal: 'SIGTERM' | 'SIGKILL'): void {
      if (spec.isSealed && signal === 'SIGTERM') return;
      if (liveGroups.has(pid)) sendSignal(-pid, signal);
    },
  };
}

function spawnInGroup(spec: LaunchSpec): ChildProcess {
  const { cwd, env, fds = [], keptFds = [] } = spec;
  const [program, ...args] = spec.argv;
  const path = program === 'node' && !spec.isFromPath ? process.execPath : program;
  try {
    return spawn(path, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe', ...fds] });
  } catch (error) {
    throw notStarted(spec, error);
  } finally {
    for (const fd of fds) if (!keptFds.includes(fd)) closeSync(fd);
  }
}

const notStarted = ({ argv: [program] }: LaunchSpec, cause: unknown): Error =>
  new Error(`${program}: ${messageOf(cause)}`, { cause });
