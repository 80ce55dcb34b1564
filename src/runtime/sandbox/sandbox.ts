import type { IsolationLevel } from '../../contract/isolation.ts';
import type { ProtectedPath } from './protect/protected-path.ts';

export type Argv = readonly [string, ...string[]];

/** A process as it is to be started: what the sandbox made of what was wanted. */
export interface SpawnPlan {
  readonly argv: Argv;
  /** Absolute. */
  readonly cwd: string;
  /** All that the process inherits. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors that it gets as 3, 4, … Whoever starts it closes them afterwards. */
  readonly fds: readonly number[];
  /** SIGTERM would end the sandbox around the process, not ask the process to go. */
  readonly isSealed: boolean;
}

export interface CapsuleSandboxRequest {
  /** Program and arguments, relative to the folder; `node` becomes this very Node. */
  readonly argv: Argv;
  /** The capsule's folder, absolute. */
  readonly dir: string;
  /** The SDK's one file, absolute. */
  readonly sdkPath: string;
  /** The code that runs came with Capstan. */
  readonly isShipped: boolean;
  /** Processor time that it may use, in seconds. */
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
  /** A folder of its own that exists and is removed afterwards, absolute. */
  readonly scratch: string;
  /** Folders where programs are looked for, separated by colons. */
  readonly searchPath: string;
  /** Variables beside PATH, HOME, TMPDIR and LANG. */
  readonly variables: Readonly<Record<string, string>>;
  readonly cpuSec: number;
  /** The Unix socket of a proxy, absolute: its only way to a network. Default: it has none. */
  readonly proxySocket?: string | undefined;
  /** What Git needs outside the workspace, files and folders that it may read, absolute. Default: nothing. */
  readonly gitPaths?: readonly string[] | undefined;
  /** What it must be kept from, a folder before what it holds. */
  readonly covered: readonly ProtectedPath[];
}

/** One query process: Node with a script of ours and the open files that the query is about. */
export interface QuerySandboxRequest {
  readonly script: string;
  /** Files and folders that it needs beside the script, absolute. */
  readonly reads: readonly string[];
  /** Open files. They become the descriptors 3, 4, … */
  readonly fds: readonly number[];
  readonly memoryBytes: number;
  /** Processor time that it may use, in seconds: its end where nobody is left to end it. */
  readonly cpuSec: number;
}

/** A way to start processes at one level. What can't be isolated is not started: every method may throw. */
export interface Sandbox {
  readonly level: IsolationLevel;
  /** @throws Error that says in one line why it can't be started at this level. */
  forCapsule(request: CapsuleSandboxRequest): SpawnPlan;
  /** @throws Error that says in one line why it can't be started at this level. */
  forTool(request: ToolSandboxRequest): SpawnPlan;
  /** @throws Error that says in one line why it can't be started at this level. */
  forQuery(request: QuerySandboxRequest): SpawnPlan;
  /** Whether a tool's process can read a path outside its workspace, absolute. */
  sees(path: string): boolean;
  /** The problem that stderr starts with, if the sandbox itself failed and not the program inside. */
  findProblem(stderr: string): string | undefined;
}
