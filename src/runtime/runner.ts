import { AppError, messageOf } from '../errors.ts';
import { Attempt, type AttemptOptions } from './attempt.ts';
import { capsuleEnvironment } from './capsule-environment.ts';
import { type Launched, launch } from './launch.ts';
import type { AgentResponse } from './protocol.ts';

export interface RunCapsuleOptions extends AttemptOptions {
  /** Folder of the capsule, absolute: the working directory of its process. */
  readonly dir: string;
  /** Argument vector of the manifest; `node` becomes this very Node. */
  readonly entrypoint: readonly string[];
  /** The SDK's one file; the capsule finds it by `CAPSTAN_SDK`. */
  readonly sdkPath: string;
}

/**
 * Runs one capsule to its single response. The process and its whole group are gone when this returns or throws.
 *
 * @throws AppError `CAPSULE_NOT_STARTED`, `CAPSULE_TIMED_OUT`, `CAPSULE_SPOKE_NONSENSE`, `CAPSULE_FELL_SILENT`, `LINE_TOO_LONG`, `CANCELLED`.
 */
export async function runCapsule(options: RunCapsuleOptions): Promise<AgentResponse> {
  const { capsule, signal } = options;
  if (signal.aborted) throw new AppError('CANCELLED', { what: `Capsule "${capsule}"` });
  const child = await startProcess(options);
  return await new Attempt(options, child).run();
}

async function startProcess(options: RunCapsuleOptions): Promise<Launched> {
  const { capsule, dir, entrypoint, sdkPath } = options;
  const [program, ...args] = entrypoint;
  try {
    if (program === undefined) throw new Error('its entrypoint is empty');
    return await launch({
      argv: [program, ...args],
      cwd: dir,
      env: capsuleEnvironment(sdkPath),
    });
  } catch (error) {
    throw new AppError('CAPSULE_NOT_STARTED', { capsule, problem: messageOf(error) });
  }
}
