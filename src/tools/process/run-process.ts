import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, isAbsolute, normalize } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import type { Access } from '../../contract/operation.ts';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';
import { CALL_MARK } from '../../runtime/kill-marked.ts';
import { findProtected } from '../../runtime/sandbox/protect/find-protected.ts';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import type { Sandbox, SpawnPlan } from '../../runtime/sandbox/sandbox.ts';
import { failure, type ToolCall, throwIfAborted } from '../define/call.ts';
import type { ToolContext } from '../define/tool.ts';
import { isInside } from '../files/paths.ts';
import { closedIn, quarantineCreated, quarantineLeft, searchOf } from '../files/planted-files.ts';
import { takeTurn } from '../files/workspace-turns.ts';
import { coverGitConfigs } from '../git/cover-git-configs.ts';
import type { NetworkUse } from '../network/network-log.ts';
import { type NetworkProxy, openNetworkProxy } from '../network/network-proxy.ts';
import { guardPlaces } from '../private-places/guard-places.ts';
import { hiddenProgramHint } from '../programs/hidden-program-hint.ts';
import { readOnlyNote } from '../programs/read-only-note.ts';
import type { BoundedOutput } from './bounded-output.ts';
import { type End, liveProcess, type Outputs, type StoppedBy } from './process-life.ts';
import { sandboxFailure } from './sandbox-failure.ts';

const MAX_TAIL_CHARS = 2_000;

export interface ProcessRequest {
  /** Program and arguments; no shell looks at them. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute, and bound to the folder that was checked where the system allows it. */
  readonly cwd: string;
  /** The path that `cwd` really has. */
  readonly folder: string;
  /** What it may do to the workspace, where there is a sandbox. */
  readonly access: Access;
  /** What it may reach, at level A. Default: nothing. */
  readonly network?: readonly URL[] | undefined;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Most that is kept of its output, in bytes. Default: what an answer may hold, 256 KiB at most. */
  readonly stdoutBytes?: number | undefined;
}

/** How a process ended and what it said. A non-zero exit code is a result like any other. */
export interface ProcessResult {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  readonly truncated: boolean;
  readonly duration_ms: number;
  /** Folders that it had for itself, and that are gone. `~` is the home. */
  readonly private_places: readonly string[];
  /** What may have kept it from its work. */
  readonly hint?: string;
  /** With the access "read": it said that it could not write. */
  readonly needs_write?: true;
  /** What it reached, where it had network. */
  readonly network?: readonly NetworkUse[];
}

/**
 * Runs one process to its end in the sandbox of the call, in a group, a home and a temporary folder of its own. Nothing
 * of it is left when this returns or throws. One that may write has the workspace to itself, where there is a sandbox.
 *
 * @throws AppError `TOOL_FAILED` where it can't be started, `TOOL_TIMED_OUT`, `CANCELLED`; `WRITES_DISCARDED`, `HOME_DISCARDED` if it changed
 *   a private folder on purpose; `PLANTED_FILES_LEFT` where what it made can't be taken away, or what an earlier one made.
 */
export async function runProcess(request: ProcessRequest, call: ToolCall): Promise<ProcessResult> {
  throwIfAborted(call);
  const sandbox = call.context.sandbox;
  if (request.network !== undefined && sandbox.level !== 'A')
    throw failure(
      call,
      `a command gets network at isolation level A only, not at ${sandbox.level}`,
    );
  if (sandbox.level === 'none') return outputLast(await runIn(sandbox, undefined, request, call));
  const endTurn = await takeTurn(request.access, call);
  try {
    const left = await quarantineLeft(call);
    const covered = await findCovered(request, call);
    const result = await runIn(sandbox, covered, request, call);
    const hint = left ? { hint: `${left} ${result.hint ?? ''}`.trim() } : {};
    return outputLast({ ...result, ...hint });
  } finally {
    endTurn();
  }
}

/** @throws AppError `TOOL_FAILED` where something would be left open. */
function findCovered(
  { access }: ProcessRequest,
  call: ToolCall,
): Promise<readonly ProtectedPath[]> {
  const search = searchOf(call);
  const { gitPaths = [] } = call.context;
  const searches = [
    { ...search, access },
    ...gitPaths
      .filter(isFolder)
      .map((workspace) => ({ ...search, workspace, access: 'read' as const })),
  ];
  const isClosed = (path: string) => isReadOnly(path, access, call);
  return Promise.all(
    searches.map(async (one) => coverGitConfigs(await findProtected(one), isClosed)),
  )
    .then((covered) => covered.flat())
    .catch((error: unknown) => {
      throw notIsolated(error, call);
    });
}

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const isReadOnly = (path: string, access: Access, call: ToolCall): boolean =>
  access === 'write' && closedIn(call)(path, 'write');

const notIsolated = (error: unknown, call: ToolCall): AppError =>
  failure(call, `it can't be isolated: ${messageOf(error)}`, error);

async function runIn(
  sandbox: Sandbox,
  covered: readonly ProtectedPath[] | undefined,
  request: ProcessRequest,
  call: ToolCall,
): Promise<ProcessResult> {
  // A sealed sandbox has its own; nothing that is started in one outlives it.
  const scratch = sandbox.level === 'A' ? '' : makeTemporaryFolder('call');
  try {
    const startedMs = performance.now();
    await using proxy = request.network && (await openNetworkProxy(request.network, call));
    const mark = randomUUID();
    const ground = { sandbox, scratch, covered: covered ?? [], mark, proxy };
    const guard = guardPlaces(request, call);
    const plan = planOf({ ...request, argv: guard.argv }, ground, call);
    const life = { ...request, plan, mark };
    const { end, outputs } = await liveProcess(life, call);
    const taken =
      covered && request.access === 'write' ? await quarantineCreated(covered, call) : undefined;
    if (end.stoppedBy !== undefined)
      throw stopFailure(end.stoppedBy, { ...outputs, hint: taken }, request, call);
    const { stdout, stderr } = shownOutput(outputs, request, call);
    const { searchPath = '', workspace } = call.context;
    const sight = { workspace, searchPath, sees: sandbox.sees };
    const hidden = hiddenProgramHint({ ...request, stderr }, sight);
    const failed = sandboxFailure(end.exitCode, stderr, { sandbox, call, hint: hidden });
    if (failed !== undefined) throw failed;
    const result = guard.check(
      resultOf(end, { outputs, stdout, stderr }, performance.now() - startedMs),
    );
    const note = request.access === 'read' ? readOnlyNote({ ...request, ...result }, call) : {};
    const hint = [taken, note.hint, result.hint, hidden].filter(Boolean).join(' ');
    const network = proxy?.uses();
    return { ...result, ...note, ...(hint && { hint }), ...(network && { network }) };
  } finally {
    if (scratch !== '') await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

interface SandboxParts {
  readonly proxy: NetworkProxy | undefined;
  readonly sandbox: Sandbox;
  readonly covered: readonly ProtectedPath[];
  readonly scratch: string;
  readonly mark: string;
}

/** Processor time of each process, beyond the time of the call: several threads may work at once. */
const CPU_PER_TIME = 4;

/** @throws AppError `TOOL_FAILED` where it can't be isolated. */
function planOf(
  { argv, cwd, folder, access, timeoutMs }: ProcessRequest,
  { sandbox, scratch, covered, mark, proxy }: SandboxParts,
  call: ToolCall,
): SpawnPlan {
  const { context } = call;
  try {
    return sandbox.forTool({
      argv,
      access,
      scratch,
      workspace: context.workspace,
      cwd: sandbox.level === 'none' ? cwd : folder,
      searchPath: searchPathFor(context),
      variables: {
        ...(sandbox.level === 'A' ? {} : { [CALL_MARK]: mark }),
        // A folder that is mounted counts as another file system.
        ...(context.gitPaths && { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' }),
      },
      cpuSec: 10 + (CPU_PER_TIME * timeoutMs) / 1_000,
      gitPaths: context.gitPaths,
      covered,
      proxySocket: proxy?.socketPath,
    });
  } catch (error) {
    throw notIsolated(error, call);
  }
}

const excessive = {
  memory:
    'its processes held more memory together than a call may (half of what the machine has, 2 GiB at least), and were ended',
  processes: 'it started more processes than a call may (512), and they were ended',
} as const;

function stopFailure(
  by: StoppedBy,
  { stdout, stderr, hint }: Outputs & { readonly hint: string | undefined },
  { timeoutMs }: ProcessRequest,
  call: ToolCall,
): AppError {
  const { tool } = call;
  if (by === 'memory' || by === 'processes') return failure(call, excessive[by]);
  if (by === 'abort') return new AppError('CANCELLED', { what: `A call of ${tool}` });
  const output = `${stdout.text()}${stderr.text()}`.slice(-MAX_TAIL_CHARS);
  const told = hint === undefined ? output : `${output}\n${hint}`;
  return new AppError('TOOL_TIMED_OUT', { tool, timeoutMs, output: told });
}

interface Shown {
  readonly stdout: string;
  readonly stderr: string;
}

/** Both streams share what an answer may hold. A quarter is for stderr; what one does not need, the other gets. */
function shownOutput(
  { stdout, stderr }: Outputs,
  { stdoutBytes }: ProcessRequest,
  { context: { maxOutputBytes } }: ToolCall,
): Shown {
  const quarter = Math.floor(maxOutputBytes / 4);
  const forErrors =
    stdoutBytes === undefined ? Math.max(quarter, maxOutputBytes - stdout.bytes()) : quarter;
  const errors = Math.min(forErrors, stderr.bytes());
  return {
    stdout: stdout.text(stdoutBytes ?? maxOutputBytes - errors),
    stderr: stderr.text(forErrors),
  };
}

/** Facts first: whoever cuts the rest of a result keeps them. */
function outputLast({ stderr, stdout, ...facts }: ProcessResult): ProcessResult {
  return { ...facts, stderr, stdout };
}

function resultOf(
  end: End,
  { outputs, stdout, stderr }: Shown & { readonly outputs: Outputs },
  durationMs: number,
) {
  const isCut = (shown: string, { bytes, truncated }: BoundedOutput) =>
    truncated() || (shown.length < bytes() && Buffer.byteLength(shown) < bytes());
  return {
    exit_code: end.exitCode,
    signal: end.signal,
    stdout,
    stderr,
    stdout_bytes: outputs.stdout.bytes(),
    stderr_bytes: outputs.stderr.bytes(),
    truncated: isCut(stdout, outputs.stdout) || isCut(stderr, outputs.stderr),
    duration_ms: Math.round(durationMs),
  };
}

const systemFolders = '/usr/local/bin:/usr/bin:/bin';

/** PATH for child processes: absolute folders only, and none in the workspace, where a program could have been planted. */
function searchPathFor({ searchPath, workspace }: ToolContext): string {
  const folders = (searchPath ?? systemFolders)
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(workspace, normalize(folder)));
  return folders.length > 0 ? folders.join(delimiter) : systemFolders;
}
