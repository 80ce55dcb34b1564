import { AppError, failedWith, messageOf } from '../contract/errors.ts';
import type { AgentResponse } from '../contract/protocol.ts';
import { Attempt, type AttemptOptions } from './attempt.ts';
import { type Launched, launch } from './launch.ts';
import type { Sandbox, SpawnPlan } from './sandbox/sandbox.ts';

export interface RunCapsuleOptions extends AttemptOptions {
  /** Folder of the capsule, absolute: the working directory of its process. */
  readonly dir: string;
  /** Argument vector of the manifest; `node` becomes this very Node. */
  readonly entrypoint: readonly string[];
  /** The SDK's one file; the capsule finds it by `CAPSTAN_SDK`. */
  readonly sdkPath: string;
  /** The code that runs came with Capstan. Default: no. */
  readonly isShipped?: boolean;
}

/** What the process is started in is never left to a default. */
export interface SandboxedOptions extends RunCapsuleOptions {
  readonly sandbox: Sandbox;
}

/** Runs one capsule in a sandbox that is settled. */
export type CapsuleRunner = (options: RunCapsuleOptions) => Promise<AgentResponse>;

/**
 * Runs one capsule to its single response. The process and its whole group are gone when this returns or throws.
 *
 * @throws AppError `CAPSULE_NOT_STARTED`, `CAPSULE_NOT_ISOLATED`, `CAPSULE_TIMED_OUT`, `CAPSULE_SPOKE_NONSENSE`,
 *   `CAPSULE_FELL_SILENT`, `LINE_TOO_LONG`, `CANCELLED`.
 */
export async function runCapsule(options: SandboxedOptions): Promise<AgentResponse> {
  const { capsule, signal, sandbox } = options;
  if (signal.aborted) throw new AppError('CANCELLED', { what: `Capsule "${capsule}"` });
  const child = await startProcess(options, sandbox);
  try {
    return await new Attempt(options, child).run();
  } catch (error) {
    throw failedSandbox(error, capsule, sandbox) ?? error;
  }
}

async function startProcess(options: RunCapsuleOptions, sandbox: Sandbox): Promise<Launched> {
  const { capsule } = options;
  const plan = planOf(options, sandbox);
  try {
    return await launch(plan);
  } catch (error) {
    throw new AppError('CAPSULE_NOT_STARTED', { capsule, problem: messageOf(error) });
  }
}

/** Processor time beyond its own time: several threads may work at once. */
const CPU_PER_TIME = 2;
const LEAST_CPU_SEC = 60;

function planOf(options: RunCapsuleOptions, sandbox: Sandbox): SpawnPlan {
  const { capsule, dir, sdkPath, isShipped = false, timeoutMs } = options;
  const [program, ...args] = options.entrypoint;
  if (program === undefined)
    throw new AppError('CAPSULE_NOT_STARTED', { capsule, problem: 'its entrypoint is empty' });
  const cpuSec = Math.max(LEAST_CPU_SEC, (CPU_PER_TIME * timeoutMs) / 1_000);
  try {
    return sandbox.forCapsule({ argv: [program, ...args], dir, sdkPath, isShipped, cpuSec });
  } catch (error) {
    const problem = messageOf(error);
    throw new AppError('CAPSULE_NOT_ISOLATED', { capsule, level: sandbox.level, problem });
  }
}

/** A process that fell silent since its walls could not be built never ran. */
function failedSandbox(error: unknown, capsule: string, sandbox: Sandbox): AppError | undefined {
  if (!failedWith(error, 'CAPSULE_FELL_SILENT')) return undefined;
  const problem = sandbox.findProblem(error.details.stderrTail ?? '');
  if (problem === undefined) return undefined;
  // Its program is not there, or not to be seen inside: the walls stand.
  if (problem.startsWith('execvp '))
    return new AppError('CAPSULE_NOT_STARTED', { capsule, problem });
  return new AppError('CAPSULE_NOT_ISOLATED', { capsule, level: sandbox.level, problem });
}
