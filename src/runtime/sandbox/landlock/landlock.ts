import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capsuleEntries, capsuleEnvironment } from '../capsule-process.ts';
import {
  capsuleLimits,
  type Limits,
  limitArgs,
  queryLimits,
  toolLimits,
} from '../levels/limits.ts';
import type { ProtectedPath } from '../protect/protected-path.ts';
import {
  type Argv,
  type CapsuleSandboxRequest,
  isBelowAny,
  type QuerySandboxRequest,
  type Sandbox,
  type SpawnPlan,
  type ToolSandboxRequest,
} from '../sandbox.ts';
import { LANDLOCK_LAUNCHER } from './landlock-launcher.ts';
import { type FilterVariant, filterDescriptors } from './seccomp-filter.ts';

/** Paths that every program needs. `/bin` and `/lib` are links into `/usr`. */
const system: readonly LandlockRule[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/ssl', '/etc/localtime'],
  ...['/dev/urandom', '/dev/random'],
].map((path): LandlockRule => [path, 'read']);
/** Its mappings can be shared memory, which no limit counts: not for capsules. */
const zeros: LandlockRule = ['/dev/zero', 'read'];
const sink: LandlockRule = ['/dev/null', 'write'];

interface LandlockOptions {
  /** Absolute. */
  readonly programs: { readonly python3: string; readonly prlimit: string };
  readonly readable: readonly string[];
}

interface Confined {
  readonly rules: readonly LandlockRule[];
  readonly limits: Limits;
  readonly cwd: string;
  readonly argv: Argv;
  readonly env: Readonly<Record<string, string>>;
  readonly variant: FilterVariant;
}

/**
 * Level B: Landlock and the system call filter, applied by a launcher in Python. Paths are the same as outside.
 *
 * @returns Undefined if there is no system call filter for this architecture.
 */
export function landlock({ programs, readable }: LandlockOptions): Sandbox | undefined {
  const filterFd = filterDescriptors();
  if (filterFd === undefined) return undefined;
  const confine = (one: Confined, first: readonly number[] = []): SpawnPlan => {
    const plan = {
      paths: [...system, sink, [process.execPath, 'read'], ...one.rules],
      cwd: one.cwd,
      argv: one.argv,
      filter: 3 + first.length,
    };
    const { python3, prlimit } = programs;
    const launcher = [python3, '-IS', '-c', LANDLOCK_LAUNCHER, JSON.stringify(plan)];
    return {
      argv: [prlimit, ...limitArgs(one.limits), ...launcher],
      cwd: '/',
      env: one.env,
      fds: [...first, filterFd(one.variant)],
    };
  };
  return {
    level: 'B',
    forCapsule: (request) => confine(capsuleConfined(request)),
    forTool: (request) => confine(toolConfined(request, readable)),
    forQuery: (request) => confine(queryConfined(request), request.fds),
    sees: (path) => isBelowAny([...system.map(([root]) => root), ...readable], path),
    findProblem: (stderr) => /^(?:landlock|prlimit): ([^\n]*)/.exec(stderr)?.[1],
  };
}

const capsuleConfined = ({ argv, dir, sdkPath, cpuSec }: CapsuleSandboxRequest): Confined => ({
  rules: [
    [dir, 'list'],
    ...capsuleEntries(dir).map((name): LandlockRule => [join(dir, name), 'read']),
    [sdkPath, 'read'],
  ],
  limits: capsuleLimits(cpuSec),
  cwd: dir,
  argv: [argv[0] === 'node' ? process.execPath : argv[0], ...argv.slice(1)],
  env: capsuleEnvironment(sdkPath),
  variant: 'confined capsule',
});

function toolConfined(request: ToolSandboxRequest, readable: readonly string[]): Confined {
  const { workspace, access, scratch, covered, gitPaths = [] } = request;
  // The limit on processes would count all processes of the user, so it can't be used here.
  const { children: _, ...limits } = toolLimits(request.cpuSec);
  return {
    rules: [
      zeros,
      ...readable.map((path): LandlockRule => [path, 'read']),
      ...gitPaths.flatMap((path) => openEntries(path, 'read', covered)),
      ...openEntries(workspace, access, covered),
      [scratch, 'write'],
    ],
    limits,
    cwd: request.cwd,
    argv: request.argv,
    env: {
      ...request.variables,
      PATH: request.searchPath,
      LANG: 'C.UTF-8',
      HOME: scratch,
      TMPDIR: scratch,
      ...{ USER: 'user', LOGNAME: 'user' },
      // Git fails if it can't read the system configuration.
      GIT_CONFIG_NOSYSTEM: '1',
    },
    variant: 'confined tool',
  };
}

const queryConfined = (request: QuerySandboxRequest): Confined => ({
  rules: [request.script, ...request.reads, '/proc/self/fd'].map(
    (path): LandlockRule => [path, 'read'],
  ),
  limits: queryLimits(request),
  cwd: dirname(request.script),
  argv: [process.execPath, request.script],
  env: {},
  variant: 'capsule',
});

/** The access right of a process below a path. `list` shows names without contents. */
type LandlockRule = readonly [path: string, right: 'read' | 'write' | 'list'];

const hidden: ReadonlySet<ProtectedPath['how']> = new Set([
  'hidden file',
  'hidden folder',
  // Landlock can't replace the content of a file.
  'copied',
  'channel',
]);

/**
 * The Landlock rules of a workspace. A rule can only add rights to those of the parent folder, so a folder that
 * contains a protected path is only listed, and each of its other entries gets its own rule.
 */
function openEntries(
  workspace: string,
  access: 'read' | 'write',
  covered: readonly ProtectedPath[],
): LandlockRule[] {
  const how = new Map(covered.map((one) => [one.path, one.how]));
  const holders = new Set<string>();
  for (const { path } of covered)
    for (let above = dirname(path); above.startsWith(workspace); above = dirname(above)) {
      holders.add(above);
      if (above === workspace) break;
    }
  const rulesOf = (path: string): LandlockRule[] => {
    const covering = how.get(path);
    if (covering !== undefined && hidden.has(covering)) return [];
    if (!holders.has(path)) return [[path, covering === undefined ? access : 'read']];
    const inside = readdirSync(path).flatMap((name) => rulesOf(join(path, name)));
    return [[path, 'list'], ...inside];
  };
  return rulesOf(workspace);
}
