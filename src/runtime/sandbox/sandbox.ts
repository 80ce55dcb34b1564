import type { IsolationLevel } from '../../contract/permissions/isolation.ts';
import { isInside } from '../../platform/files/inside.ts';
import type { LaunchSpec } from '../process/launch.ts';
import type { ProtectedPath } from './protect/protected-path.ts';

export type Argv = readonly [string, ...string[]];

/** The command, environment and descriptors for starting a process in a sandbox. */
export type SpawnPlan = Pick<LaunchSpec, 'argv' | 'cwd' | 'env' | 'fds' | 'isSealed' | 'isBounded'>;

export interface CapsuleSandboxRequest {
  /** Program and arguments, relative to the folder; `node` becomes the running Node. */
  readonly argv: Argv;
  /** The capsule's folder, absolute. */
  readonly dir: string;
  /** The file of the SDK, absolute. */
  readonly sdkPath: string;
  /** Whether the code ships with Capstan. */
  readonly isShipped: boolean;
  /** CPU time limit in seconds. */
  readonly cpuSec: number;
}

export interface ToolSandboxRequest {
  /** Program and arguments. */
  readonly argv: Argv;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly access: 'read' | 'write';
  /** In the workspace, absolute. */
  readonly cwd: string;
  /** An existing private folder that is removed afterwards, absolute. */
  readonly scratch: string;
  /** The search path for programs, separated by colons. */
  readonly searchPath: string;
  /** Variables in addition to PATH, HOME, TMPDIR and LANG. */
  readonly variables: Readonly<Record<string, string>>;
  readonly cpuSec: number;
  /** The Unix socket of a proxy, absolute: its only network connection. Default: none. */
  readonly proxySocket?: string | undefined;
  /** Files and folders outside the workspace that Git needs to read, absolute. Default: none. */
  readonly gitPaths?: readonly string[] | undefined;
  /** The content of `.gitconfig` in its home, if that is not in `scratch`. Default: none. */
  readonly gitConfig?: string | undefined;
  /** The protected paths, folders before their contents. */
  readonly covered: readonly ProtectedPath[];
}

/** One query process: Node with a trusted script and the open files of the query. */
export interface QuerySandboxRequest {
  readonly script: string;
  /** Files and folders that it needs in addition to the script, absolute. */
  readonly reads: readonly string[];
  /** Open files, which become the descriptors 3, 4, …. */
  readonly fds: readonly number[];
  readonly memoryBytes: number;
  /** CPU time limit in seconds, in case Capstan is no longer there to kill it. */
  readonly cpuSec: number;
}

/** Plans processes at one isolation level. `for…` throws an Error with the reason on one line if it can't be isolated. */
export interface Sandbox {
  readonly level: IsolationLevel;
  forCapsule(request: CapsuleSandboxRequest): SpawnPlan;
  forTool(request: ToolSandboxRequest): SpawnPlan;
  forQuery(request: QuerySandboxRequest): SpawnPlan;
  /** Whether a tool's process can read a path outside its workspace, absolute. */
  sees(path: string): boolean;
  /** The problem that stderr starts with, if the sandbox itself failed and not the program inside. */
  findProblem(stderr: string): string | undefined;
}

/** Whether a path is one of the roots or below one; all are absolute. */
export const isBelowAny = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => isInside(root, path));
