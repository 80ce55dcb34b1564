import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { tryOr } from '../../platform/try-or.ts';
import { launch, type ProcessExit } from '../process/launch.ts';
import { CAPSULE_TMP_BYTES, TOOL_TMP_BYTES } from './levels/limits.ts';
import type { Argv, Sandbox, SpawnPlan } from './sandbox.ts';
import { ATTRIBUTE_TEST_PROGRAM, SELF_TEST_PROGRAM } from './self-test-program.ts';

/** The tested actions, by name, with their text for a person. */
export const selfTests = {
  canary: 'read a file of yours outside',
  shadow: 'read /etc/shadow',
  ssh: 'read ~/.ssh',
  places: "read Capstan's own folders",
  environ: "read Capstan's environment in /proc",
  memory: "read Capstan's memory in /proc",
  environments: "find Capstan's environment in any process",
  processes: 'see other processes',
  signal: 'signal Capstan',
  outsideWrite: 'write outside the workspace',
  own: 'write its own folder',
  attributes: 'change the mode, owner or times of a file of yours outside',
  priority: "change Capstan's priority",
  calls:
    'change attributes, limits or the clock by any other system call, or use the shared memory and queues of other programs',
  sysctl: 'open a kernel setting for writing',
  inherited: 'use a file descriptor inherited by Capstan',
  workspaceRead: 'read the workspace',
  workspaceWrite: 'write the workspace',
  tmp: 'fill /tmp beyond its limit',
  loopback: 'connect to 127.0.0.1',
  udp: 'send a datagram',
  outside: 'connect to another machine',
  fork: 'start another program',
  namespace: 'make a new user namespace',
} as const;
export type SelfTestName = keyof typeof selfTests;

/** `done`, or the error code of each action. */
export type SelfTestResult = Readonly<Partial<Record<SelfTestName, string>>>;

/** The kind of process to test. */
export type Who = 'capsule' | 'reading tool' | 'writing tool';

export interface SelfTestOptions {
  /** Capstan's own folders, which must not be visible. Default: none. */
  readonly places?: readonly string[];
  /** Whether to include slow tests: another machine, a full /tmp. */
  readonly isThorough: boolean;
}

/** Time limit of one test process, in milliseconds. */
const DEADLINE_MS = 10_000;
/** TEST-NET-1 (RFC 5737): an address without a host. A process that can send to it is not isolated. */
const UNREACHABLE_HOST = '192.0.2.1';

/** The sandbox itself reported that it can't be built here: a result, unlike an interrupted test. */
export class SandboxRefused extends Error {}

/**
 * Starts a process of one kind in the sandbox, which tries forbidden actions.
 *
 * @throws SandboxRefused with the sandbox's own message; Error with the reason on one line if the process gave no answer otherwise.
 */
export async function selfTest(
  sandbox: Sandbox,
  who: Who,
  { places = [], isThorough }: SelfTestOptions,
): Promise<SelfTestResult> {
  const ground = makeTemporaryFolder('selftest');
  const dir = join(ground, 'child');
  const scratch = join(ground, 'scratch');
  const canary = join(ground, 'canary');
  mkdirSync(dir);
  mkdirSync(scratch);
  writeFileSync(canary, 'a secret\n', { mode: 0o600 });
  writeFileSync(join(dir, 'main.cjs'), SELF_TEST_PROGRAM);
  writeFileSync(join(dir, 'sdk.cjs'), '');
  const mark = randomUUID();
  try {
    // Represents Capstan: a process outside the sandbox, with a secret in its environment.
    const bystander = await launch({
      argv: ['node', '-e', 'process.stdin.resume()'],
      cwd: '/',
      env: { MARK: mark },
    });
    try {
      const isTool = who !== 'capsule';
      const tmpBytes = isTool ? TOOL_TMP_BYTES : CAPSULE_TMP_BYTES;
      const own = sandbox.level === 'A' && !isTool ? '/capsule' : dir;
      const plan = {
        reads: [
          ['canary', canary],
          ['shadow', '/etc/shadow'],
          ['ssh', join(homedir(), '.ssh')],
          ['environ', `/proc/${bystander.pid}/environ`],
          ['memory', `/proc/${bystander.pid}/maps`],
          ...places.slice(0, 1).map((place) => ['places', place]),
          ...(isTool ? [['workspaceRead', join(dir, 'main.cjs')]] : []),
        ],
        writes: [['outsideWrite', ground], isTool ? ['workspaceWrite', dir] : ['own', own]],
        canary,
        mark,
        pid: bystander.pid,
        port: 9,
        ...(isThorough ? { tmpBytes, outside: UNREACHABLE_HOST } : {}),
      };
      const found = {
        ...(await run(planOf(sandbox, who, { dir, scratch }), JSON.stringify(plan))),
        ...(isThorough && who === 'capsule' && sandbox.level === 'B'
          ? await tryCalls(sandbox, dir, [canary, String(bystander.pid)])
          : {}),
      };
      // A private /tmp may hold a folder of the same name.
      const isWritten = readdirSync(ground).some((name) => name.startsWith('.capstan-self-test'));
      return found.outsideWrite !== 'done' || isWritten
        ? found
        : { ...found, outsideWrite: 'into a private folder' };
    } finally {
      bystander.kill('SIGKILL');
    }
  } finally {
    rmSync(ground, { recursive: true, force: true });
  }
}

/** `EPERM` if the filter of level B, which needs Python, stopped every call; else the first other result. */
async function tryCalls(
  sandbox: Sandbox,
  dir: string,
  args: readonly string[],
): Promise<SelfTestResult> {
  const argv = ['python3', '-IS', '-c', ATTRIBUTE_TEST_PROGRAM, ...args] as const;
  const found = Object.values(await run(forCapsule(sandbox, dir, argv), ''));
  const tried = ATTRIBUTE_TEST_PROGRAM.match(/^attempt\(/gm)?.length;
  if (found.length !== tried) return { calls: `${found.length} of ${tried} were tried` };
  const others = found.filter((code) => code !== 'EPERM');
  return { calls: others.find((code) => code === 'done') ?? others[0] ?? 'EPERM' };
}

const forCapsule = (sandbox: Sandbox, dir: string, argv: Argv): SpawnPlan =>
  sandbox.forCapsule({ argv, dir, sdkPath: join(dir, 'sdk.cjs'), isShipped: true, cpuSec: 10 });

function planOf(
  sandbox: Sandbox,
  who: Who,
  { dir, scratch }: { readonly dir: string; readonly scratch: string },
): SpawnPlan {
  if (who === 'capsule') return forCapsule(sandbox, dir, ['node', 'main.cjs']);
  return sandbox.forTool({
    argv: ['node', 'main.cjs'],
    workspace: dir,
    cwd: dir,
    access: who === 'writing tool' ? 'write' : 'read',
    scratch,
    searchPath: '/usr/local/bin:/usr/bin:/bin',
    variables: {},
    cpuSec: 10,
    covered: [],
  });
}

async function run(plan: SpawnPlan, input: string): Promise<SelfTestResult> {
  const child = await launch(plan);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2_000);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, DEADLINE_MS);
  try {
    const [exit] = await Promise.all([
      child.exited,
      new Promise((resolve) => child.stdout.once('close', resolve)),
    ]);
    if (isLate) throw new Error(`no answer within ${DEADLINE_MS / 1_000} s`);
    const answer = tryOr(() => JSON.parse(stdout) as SelfTestResult, undefined);
    return answer ?? noAnswer(exit, stderr);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** Exit codes of a shell for a program killed by a signal: this plus the signal number. */
const BY_SIGNAL = 128;
/** Shortages that may be over at the next start. */
const scarce =
  /cannot allocate memory|out of memory|MemoryError|resource temporarily unavailable|too many open files|E(NOMEM|AGAIN|MFILE|NFILE)\b/i;

function noAnswer({ exitCode = BY_SIGNAL, signal }: ProcessExit, stderr: string): never {
  const words = stderr.trim().split('\n')[0] ?? '';
  if (signal !== undefined) throw new Error(`it was ended by ${signal}`);
  if (exitCode >= BY_SIGNAL) throw new Error(`it was ended by signal ${exitCode - BY_SIGNAL}`);
  if (words === '') throw new Error('it gave no answer');
  throw scarce.test(stderr) ? new Error(words) : new SandboxRefused(words);
}
