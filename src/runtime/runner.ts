import { AppError, failedWith, messageOf } from '../contract/errors.ts';
import type { AgentResponse } from '../contract/wire/protocol.ts';
import { Attempt } from './attempt.ts';
import type { AttemptOptions } from './attempt-options.ts';
import { type Launched, launch } from './process/launch.ts';
import { openFiles, processTree } from './process/process-tree.ts';
import { watchCapsule } from './process/watch-capsule.ts';
import type { Sandbox, SpawnPlan } from './sandbox/sandbox.ts';

export interface RunCapsuleOptions extends AttemptOptions {
  /** Folder of the capsule, absolute: the working directory of its process. */
  readonly dir: string;
  /** Argument vector of the manifest; `node` becomes the running Node. */
  readonly entrypoint: readonly string[];
  /** The file of the SDK; the capsule gets its path in `CAPSTAN_SDK`. */
  readonly sdkPath: string;
  /** Whether the code ships with Capstan. Default: false. */
  readonly isShipped?: boolean;
}

/** The sandbox is required: it has no default. */
export interface SandboxedOptions extends RunCapsuleOptions {
  readonly sandbox: Sandbox;
}

/** Runs one capsule in a fixed sandbox. */
export type CapsuleRunner = (options: RunCapsuleOptions) => Promise<AgentResponse>;

/**
 * Runs one capsule to its single response. The process and its whole group have ended when this returns or throws.
 *
 * @throws AppError `CAPSULE_NOT_STARTED`, `CAPSULE_NOT_ISOLATED`, `CAPSULE_TIMED_OUT`, `CAPSULE_SPOKE_NONSENSE`,
 *   `CAPSULE_FELL_SILENT`, `LINE_TOO_LONG`, `CANCELLED`.
 */
export async function runCapsule(options: SandboxedOptions): Promise<AgentResponse> {
  const { capsule, signal, sandbox } = options;
  if (signal.aborted) throw new AppError('CANCELLED', { what: `Capsule "${capsule}"` });
  const child = await startProcess(options, sandbox);
  const attempt = new Attempt(options, child);
  const endWatch =
    sandbox.level === 'none'
      ? undefined
      : watchCapsule(child.pid, (problem) => attempt.endFor(problem));
  try {
    return await attempt.run();
  } catch (error) {
    throw failedSandbox(error, capsule, sandbox) ?? error;
  } finally {
    endWatch?.();
  }
}

async function startProcess(options: RunCapsuleOptions, sandbox: Sandbox): Promise<Launched> {
  const { capsule } = options;
  const plan = planOf(options, sandbox);
  try {
    const child = await launch(plan);
    if (plan.isSealed) closeStdoutWithProgram(child);
    return child;
  } catch (error) {
    throw new AppError('CAPSULE_NOT_STARTED', { capsule, problem: messageOf(error) });
  }
}

/** Factor of CPU time to wall time: several threads may run in parallel. */
const CPU_PER_TIME = 2;
const MIN_CPU_SEC = 60;

function planOf(options: RunCapsuleOptions, sandbox: Sandbox): SpawnPlan {
  const { capsule, dir, sdkPath, isShipped = false, timeoutMs } = options;
  const [program, ...args] = options.entrypoint;
  if (program === undefined)
    throw new AppError('CAPSULE_NOT_STARTED', { capsule, problem: 'its entrypoint is empty' });
  const cpuSec = Math.max(MIN_CPU_SEC, (CPU_PER_TIME * timeoutMs) / 1_000);
  try {
    return sandbox.forCapsule({ argv: [program, ...args], dir, sdkPath, isShipped, cpuSec });
  } catch (error) {
    const problem = messageOf(error);
    throw new AppError('CAPSULE_NOT_ISOLATED', { capsule, level: sandbox.level, problem });
  }
}

/** The error if a process ended without a response because its sandbox could not be built. */
function failedSandbox(error: unknown, capsule: string, sandbox: Sandbox): AppError | undefined {
  if (!failedWith(error, 'CAPSULE_FELL_SILENT')) return undefined;
  const problem = sandbox.findProblem(error.details.stderrTail ?? '');
  if (problem === undefined) return undefined;
  // The program is missing or not visible inside: the sandbox itself works.
  if (problem.startsWith('execvp '))
    return new AppError('CAPSULE_NOT_STARTED', { capsule, problem });
  return new AppError('CAPSULE_NOT_ISOLATED', { capsule, level: sandbox.level, problem });
}

const EVERY_MS = 500;

/**
 * Closes the stdout of a program in bubblewrap when the program has closed it: bubblewrap's own two processes keep it open
 * for as long as they live, so the pipe itself never ends. Acts at the second poll, when all earlier output has been read.
 *
 * @param child Its process is the outer one of the two.
 */
function closeStdoutWithProgram({ pid, stdout, exited }: Launched): void {
  let wasLetGo = false;
  const timer = setInterval(() => {
    const hasClosed = hasClosedStdout(pid);
    if (hasClosed && wasLetGo) stdout.destroy();
    wasLetGo = hasClosed;
  }, EVERY_MS);
  timer.unref();
  void exited.then(() => clearInterval(timer));
}

/** Also false if that can't be determined. */
function hasClosedStdout(root: number): boolean {
  const pipe = openFiles(root)?.get('1');
  const inner = [...processTree(root)].filter(({ depth }) => depth > 1);
  const held = inner.map(({ pid }) => openFiles(pid));
  if (pipe === undefined || pipe === '' || held.length === 0) return false;
  return held.every((files) => files !== undefined && ![...files.values()].includes(pipe));
}
