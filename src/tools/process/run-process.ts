import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Access } from '../../contract/permissions/operation.ts';
import { isInside } from '../../platform/files/inside.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { CALL_MARK } from '../../runtime/process/process-tree.ts';
import { findProtected } from '../../runtime/sandbox/protect/find-protected.ts';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import type { SpawnPlan } from '../../runtime/sandbox/sandbox.ts';
import { failing, failure, type ToolCall, throwIfAborted } from '../define/call.ts';
import type { ToolContext } from '../define/tool.ts';
import { closedIn, quarantineCreated, quarantineLeft, searchOf } from '../files/planted-files.ts';
import type { Spool } from '../files/spool.ts';
import { coverGitConfigs } from '../git/cover-git-configs.ts';
import type { NetworkUse } from '../network/gate.ts';
import { type NetworkProxy, openNetworkProxy } from '../network/network-proxy.ts';
import { guardPlaces } from '../private-places/guard-places.ts';
import { hiddenFileHint } from '../programs/hidden-file-hint.ts';
import { hiddenProgramHint } from '../programs/hidden-program-hint.ts';
import { readOnlyNote } from '../programs/read-only-note.ts';
import type { BoundedOutput } from './bounded-output.ts';
import {
  type End,
  type Outputs,
  runToEnd,
  type StoppedBy,
  sandboxFailure,
} from './process-life.ts';

const MAX_TAIL_CHARS = 2_000;
/** Of an output that is also spooled, in bytes. */
const MAX_SPOOLED_SHOWN = 64 * 1024;

export interface ProcessRequest {
  /** Program and arguments, without a shell. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute. On Linux it names the folder that was checked, even if that is moved. */
  readonly cwd: string;
  /** The real path of `cwd`. */
  readonly folder: string;
  /** What it may do to the workspace, if there is a sandbox. */
  readonly access: Access;
  /** Hosts that it may reach, at level A. Default: none. */
  readonly network?: readonly URL[] | undefined;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Gets all of stdout, of which the result then shows only a part. */
  readonly spool?: Spool | undefined;
}

/** How a process ended, and its output. A non-zero exit code is a normal result. */
export interface ProcessResult {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  readonly truncated: boolean;
  readonly duration_ms: number;
  /** Its private folders, which were discarded. `~` is the home. */
  readonly private_places: readonly string[];
  /** A possible cause of a failure. */
  readonly hint?: string;
  /** With access "read": its output says that it could not write. */
  readonly needs_write?: true;
  /** The hosts that it used, if it had network. */
  readonly network?: readonly NetworkUse[];
}

/**
 * Runs one process in the sandbox of the call, with its own process group, home and temporary folder. When this returns or
 * throws, nothing of it is left. In a sandbox, the caller has taken a turn in the workspace.
 *
 * @throws AppError `TOOL_FAILED` if it can't be started, `TOOL_TIMED_OUT`, `CANCELLED`; `WRITES_DISCARDED`, `HOME_DISCARDED`
 *   if it changed a private folder on purpose; `PLANTED_FILES_LEFT` if protected files that it created, or an earlier
 *   process, can't be quarantined.
 */
export async function runProcess(request: ProcessRequest, call: ToolCall): Promise<ProcessResult> {
  throwIfAborted(call);
  const sandbox = call.context.sandbox;
  if (request.network !== undefined && sandbox.level !== 'A')
    throw failure(
      call,
      `a command gets network at isolation level A only, not at ${sandbox.level}`,
    );
  if (sandbox.level === 'none') return runIn(undefined, request, call);
  const left = await quarantineLeft(call);
  const covered = await findCovered(request, call);
  const result = await runIn(covered, request, call);
  return left ? outputLast({ ...result, hint: `${left} ${result.hint ?? ''}`.trim() }) : result;
}

/** Everything that the sandbox must hide or make read-only. @throws AppError `TOOL_FAILED` if that is not possible. */
async function findCovered(
  { access }: ProcessRequest,
  call: ToolCall,
): Promise<readonly ProtectedPath[]> {
  const search = searchOf(call);
  const folders = (call.context.gitPaths ?? []).filter(isFolder);
  const outside = folders.map((workspace) => ({ ...search, workspace, access: 'read' as const }));
  const isReadOnly = (path: string) => access === 'write' && closedIn(call)(path, 'write');
  const cover = async (one: Parameters<typeof findProtected>[0]) =>
    coverGitConfigs(await findProtected(one), isReadOnly);
  try {
    return (await Promise.all([{ ...search, access }, ...outside].map(cover))).flat();
  } catch (error) {
    return notIsolated(call)(error);
  }
}

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const notIsolated = (call: ToolCall) => failing(call, "it can't be isolated");

/** @param covered Undefined without a sandbox. */
async function runIn(
  covered: readonly ProtectedPath[] | undefined,
  request: ProcessRequest,
  call: ToolCall,
): Promise<ProcessResult> {
  const { sandbox, workspace, searchPath = '' } = call.context;
  // A sealed sandbox has its own, and nothing in it outlives it.
  const scratch = sandbox.level === 'A' ? '' : makeTemporaryFolder('call');
  try {
    const startedMs = performance.now();
    await using proxy = request.network && (await openNetworkProxy(request.network, call));
    const guard = guardPlaces(request, call);
    const gitConfig = await placeIdentity(scratch, call.context);
    const parts = { scratch, covered, proxy, gitConfig };
    const plan = planOf({ ...request, argv: guard.argv }, parts, call);
    const { end, outputs } = await runToEnd({ ...request, plan }, call);
    const taken =
      covered && request.access === 'write' ? await quarantineCreated(covered, call) : undefined;
    if (end.stoppedBy !== undefined)
      throw stopFailure(end.stoppedBy, { ...outputs, hint: taken }, request, call);
    const limits = shownBytes(outputs, request, call);
    const raw = resultOf(end, outputs, performance.now() - startedMs, limits);
    const sight = { workspace, searchPath, sees: sandbox.sees };
    const hidden = hiddenProgramHint({ ...request, stderr: raw.stderr }, sight);
    const failed = sandboxFailure(end.exitCode, raw.stderr, hidden, call);
    if (failed !== undefined) throw failed;
    showHint(hidden, end.exitCode, call);
    const result = guard.check(raw);
    const note = request.access === 'read' ? readOnlyNote({ ...request, ...result }, call) : {};
    const file = hiddenFileHint({ ...request, ...result }, covered ?? [], workspace);
    const hint = [taken, note.hint, result.hint, hidden, file].filter(Boolean).join(' ');
    const network = proxy?.uses();
    return outputLast({ ...result, ...note, ...(hint && { hint }), ...(network && { network }) });
  } finally {
    if (scratch !== '') await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Shows the person why a command may have failed. */
function showHint(hint: string | undefined, exitCode: number | null, { context }: ToolCall): void {
  if (hint !== undefined && exitCode !== 0) context.notice?.(hint, true);
}

/** Writes the person's name for commits into the home of the process, if that is outside a sealed sandbox. */
async function placeIdentity(scratch: string, context: ToolContext): Promise<string | undefined> {
  const text = await context.gitIdentity?.(searchPathFor(context));
  if (scratch !== '' && text !== undefined) await writeFile(join(scratch, '.gitconfig'), text);
  return text;
}

interface SandboxParts {
  readonly proxy: NetworkProxy | undefined;
  readonly covered: readonly ProtectedPath[] | undefined;
  readonly scratch: string;
  readonly gitConfig: string | undefined;
}

/** Processor time per process as a multiple of the time limit: it may have several threads. */
const CPU_PER_TIME = 4;

/** @throws AppError `TOOL_FAILED` if it can't be isolated. */
function planOf(
  { argv, cwd, folder, access, timeoutMs }: ProcessRequest,
  { scratch, covered = [], proxy, gitConfig }: SandboxParts,
  call: ToolCall,
): SpawnPlan {
  const { context } = call;
  const { sandbox } = context;
  try {
    return sandbox.forTool({
      argv,
      access,
      scratch,
      workspace: context.workspace,
      cwd: sandbox.level === 'none' ? cwd : folder,
      searchPath: searchPathFor(context),
      variables: {
        ...(sandbox.level === 'A' ? {} : { [CALL_MARK]: randomUUID() }),
        // A mounted folder counts as another file system.
        ...(context.gitPaths && { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' }),
      },
      cpuSec: 10 + (CPU_PER_TIME * timeoutMs) / 1_000,
      gitPaths: context.gitPaths,
      gitConfig,
      covered,
      proxySocket: proxy?.socketPath,
    });
  } catch (error) {
    return notIsolated(call)(error);
  }
}

const excessive = {
  memory:
    'its processes used more memory together than a call may (half of what the machine has, 2 GiB at least), and were ended',
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
  const all = `${stdout.text()}${stderr.text()}`;
  const isCut = all.length > MAX_TAIL_CHARS;
  // Without the rest of a line that was cut.
  const tail = isCut ? all.slice(-MAX_TAIL_CHARS).replace(/^.*\n(?=.)/, '') : all;
  const output = hint === undefined ? tail : `${tail}\n${hint}`;
  return by === 'abort'
    ? new AppError('CANCELLED', { what: `A call of ${tool}`, output })
    : new AppError('TOOL_TIMED_OUT', { tool, timeoutMs, output });
}

type ShownBytes = Readonly<Record<keyof Outputs, number>>;

/** Both streams share the size limit of a result. stderr has a quarter; each gets what the other does not need. */
function shownBytes(
  { stdout, stderr }: Outputs,
  { spool }: ProcessRequest,
  { context: { maxOutputBytes } }: ToolCall,
): ShownBytes {
  const quarter = Math.floor(maxOutputBytes / 4);
  const forErrors =
    spool === undefined ? Math.max(quarter, maxOutputBytes - stdout.bytes()) : quarter;
  const errors = Math.min(forErrors, stderr.bytes());
  const forOutput = spool
    ? Math.min(MAX_SPOOLED_SHOWN, Math.floor(maxOutputBytes / 2))
    : maxOutputBytes - errors;
  return { stdout: forOutput, stderr: forErrors };
}

function resultOf(end: End, outputs: Outputs, durationMs: number, limits: ShownBytes) {
  const stdout = outputs.stdout.text(limits.stdout);
  const stderr = outputs.stderr.text(limits.stderr);
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

/** Moves the output to the end: the start of a result survives if it is cut. */
const outputLast = ({ stderr, stdout, ...facts }: ProcessResult): ProcessResult => ({
  ...facts,
  stderr,
  stdout,
});

const systemFolders = '/usr/local/bin:/usr/bin:/bin';

/** PATH for child processes: absolute folders outside the workspace, where no capsule can plant a program. */
function searchPathFor({ searchPath, workspace }: ToolContext): string {
  const folders = (searchPath ?? systemFolders)
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(workspace, normalize(folder)));
  return folders.length > 0 ? folders.join(delimiter) : systemFolders;
}
