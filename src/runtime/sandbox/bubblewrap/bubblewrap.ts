import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capsuleEntries } from '../capsule-entries.ts';
import {
  CAPSULE_TMP_BYTES,
  capsuleLimits,
  limitArgs,
  TOOL_TMP_BYTES,
  toolLimits,
} from '../levels/limits.ts';
import { FORWARDER_PORT, NETWORK_FORWARDER } from '../network-forwarder.ts';
import type { ProtectedPath } from '../protect/protected-path.ts';
import type {
  CapsuleSandboxRequest,
  QuerySandboxRequest,
  Sandbox,
  SpawnPlan,
  ToolSandboxRequest,
} from '../sandbox.ts';
import { filterDescriptors } from './filter-descriptors.ts';
import { namelessFile } from './nameless-file.ts';
import { etcMounts, libraryMounts, systemMounts } from './system-mounts.ts';

/** Paths inside the sandbox. */
const CAPSULE = '/capsule';
const SDK = '/sdk.cjs';
const PROXY = '/network';
const HOME = '/tmp/.home';
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The user name inside, which does not reveal the real one. */
const USER = 'user';
const PASSWD = Buffer.from(`${USER}:x:65534:65534::${HOME}:/bin/sh\n`);
const GROUP = Buffer.from(`${USER}:x:65534:\n`);

/** Separate namespaces, no privileges, and no way to regain them. */
const namespaceArgs = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', '65534', '--gid', '65534'],
  ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
];

export interface BubblewrapOptions {
  /** Absolute. */
  readonly programs: { readonly bwrap: string; readonly prlimit: string };
  /** Files and folders outside the workspace that tools may read, absolute. */
  readonly readable: readonly string[];
}

/**
 * Level A: bubblewrap around every process, with an allow-list of files.
 *
 * @returns Undefined if there is no system call filter for this architecture.
 */
export function bubblewrap({ programs, readable }: BubblewrapOptions): Sandbox | undefined {
  const filterFd = filterDescriptors();
  if (filterFd === undefined) return undefined;
  return {
    level: 'A',
    forCapsule: (request) => capsulePlan(request, programs, () => filterFd('capsule')),
    forTool: (request) => {
      const variant = request.proxySocket === undefined ? 'tool' : 'networked tool';
      return toolPlan(request, { ...programs, readable }, () => filterFd(variant));
    },
    forQuery: (request) => queryPlan(request, programs, () => filterFd('capsule')),
    sees: (path) => roots(readable).some((root) => isBelow(root, path)),
    findProblem: (stderr) => /^(?:bwrap|prlimit): ([^\n]*)/.exec(stderr)?.[1],
  };
}

type Programs = BubblewrapOptions['programs'];

/** Passes the options in a file, because the first process inside would reveal its command line, with outside paths. */
const sealed = (
  bwrap: string,
  options: readonly string[],
  fds: Descriptors,
): [string, ...string[]] => {
  const file = namelessFile(Buffer.from(options.join('\0')));
  return [bwrap, '--args', fds.add(file), '--'];
};

function capsulePlan(
  request: CapsuleSandboxRequest,
  { bwrap, prlimit }: Programs,
  openFilter: () => number,
): SpawnPlan {
  const node = nodePlace();
  const [program, ...args] = request.argv;
  const isNode = program === 'node';
  const system = isNode && node.mount ? libraryMounts() : systemMounts();
  const runtime = isNode && node.mount ? ['--ro-bind', node.mount.from, node.mount.to] : [];
  const fds = createDescriptors();
  const options = [
    ...[...namespaceArgs, '--hostname', 'capsule', ...system, ...runtime],
    ...[...devices(noSharedZeros), '--size', String(CAPSULE_TMP_BYTES), '--tmpfs', '/tmp'],
    ...['--dir', CAPSULE, '--ro-bind', request.sdkPath, SDK],
    ...capsuleEntries(request.dir).flatMap((name) => [
      ...['--ro-bind', join(request.dir, name), join(CAPSULE, name)],
    ]),
    ...['--remount-ro', '/', '--chdir', CAPSULE, '--seccomp', fds.add(openFilter())],
  ];
  return {
    argv: [
      ...([prlimit, ...limitArgs(capsuleLimits(request.cpuSec))] as [string]),
      ...sealed(bwrap, options, fds),
      ...[isNode ? node.program : program, ...args],
    ],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', NODE_ENV: 'production', CAPSTAN_SDK: SDK },
    fds: fds.all,
    isSealed: true,
  };
}

function toolPlan(
  request: ToolSandboxRequest,
  { bwrap, prlimit, readable }: Programs & Pick<BubblewrapOptions, 'readable'>,
  openFilter: () => number,
): SpawnPlan {
  const node = nodePlace();
  const inside = insideWorkspace(request.workspace);
  const binding = request.access === 'write' ? '--bind' : '--ro-bind';
  const shared = ['--size', String(TOOL_TMP_BYTES), '--tmpfs', '/dev/shm'];
  const fds = createDescriptors();
  const options = [
    ...[...namespaceArgs, '--hostname', 'tool', ...systemMounts(), ...etcMounts()],
    ...(node.mount ? ['--ro-bind', node.mount.from, node.mount.to] : []),
    ...[...devices(shared), '--size', String(TOOL_TMP_BYTES), '--tmpfs', '/tmp', '--dir', HOME],
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--perms', '0644', '--ro-bind-data', fds.add(namelessFile(PASSWD)), '/etc/passwd'],
    ...['--perms', '0644', '--ro-bind-data', fds.add(namelessFile(GROUP)), '/etc/group'],
    ...(request.gitPaths ?? []).flatMap((path) => ['--ro-bind', path, path]),
    ...[binding, request.workspace, inside(request.workspace)],
    ...request.covered.flatMap((path) => cover(path, inside, fds)),
    ...(request.proxySocket === undefined ? [] : ['--ro-bind', request.proxySocket, PROXY]),
    ...['--remount-ro', '/', '--chdir', inside(request.cwd), '--seccomp', fds.add(openFilter())],
  ];
  return {
    argv: [
      ...sealed(bwrap, options, fds),
      ...(request.proxySocket === undefined
        ? []
        : [node.program, '-e', NETWORK_FORWARDER, '--', PROXY]),
      ...[prlimit, ...limitArgs(toolLimits(request.cpuSec)), '--', ...request.argv],
    ],
    cwd: '/',
    env: {
      ...request.variables,
      PATH: node.mount
        ? `${visible(request.searchPath, readable)}:${node.folder}`
        : visible(request.searchPath, readable),
      LANG: 'C.UTF-8',
      ...{ HOME, USER, LOGNAME: USER },
      TMPDIR: '/tmp',
      ...(request.proxySocket === undefined ? {} : proxyVariables),
    },
    fds: fds.all,
    isSealed: true,
  };
}

function queryPlan(
  request: QuerySandboxRequest,
  { bwrap, prlimit }: Programs,
  openFilter: () => number,
): SpawnPlan {
  const node = nodePlace();
  const limits = { ...capsuleLimits(request.cpuSec), memoryBytes: request.memoryBytes };
  const fds = createDescriptors();
  for (const fd of request.fds) fds.add(fd);
  const options = [
    ...[...namespaceArgs, '--hostname', 'query'],
    ...(node.mount
      ? [...libraryMounts(), '--ro-bind', node.mount.from, node.mount.to]
      : systemMounts()),
    ...[...devices(noSharedZeros), '--size', String(CAPSULE_TMP_BYTES), '--tmpfs', '/tmp'],
    ...[request.script, ...request.reads].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--remount-ro', '/', '--chdir', '/', '--seccomp', fds.add(openFilter())],
  ];
  return {
    argv: [
      ...([prlimit, ...limitArgs(limits)] as [string]),
      ...[...sealed(bwrap, options, fds), node.program, request.script],
    ],
    cwd: '/',
    env: {},
    fds: fds.all,
    isSealed: true,
  };
}

const proxyUrl = `http://127.0.0.1:${FORWARDER_PORT}`;
const proxyVariables = {
  ...{ HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, http_proxy: proxyUrl, https_proxy: proxyUrl },
  ...{ NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1' },
  // From Node 24 on.
  NODE_USE_ENV_PROXY: '1',
};

/**
 * `/proc` of its own namespace, and a few harmless devices; in `/dev`, only the mounts are writable.
 * Kernel settings check the user id, not capabilities, so they would be writable if Capstan runs as root.
 */
const devices = (mounts: readonly string[]): string[] => [
  ...['--proc', '/proc', '--ro-bind-try', '/proc/sys', '/proc/sys'],
  ...['--dev', '/dev', ...mounts, '--remount-ro', '/dev'],
];

/** Mappings of `/dev/zero` can be shared memory, which no limit counts. With this mount, it can't be opened. */
const noSharedZeros = ['--ro-bind', '/dev/null', '/dev/zero'];

/** The workspace keeps its outside path, so that paths in messages and environments stay valid; the root can't. */
const insideWorkspace =
  (workspace: string) =>
  (path: string): string =>
    workspace === '/' || workspace === '/tmp'
      ? `/workspace${path.slice(workspace === '/' ? 0 : workspace.length)}`
      : path;

const roots = (readable: readonly string[]) => ['/usr', '/bin', '/sbin', ...readable];

const isBelow = (root: string, path: string): boolean =>
  path === root || path.startsWith(`${root}/`);

/** The folders of the search path that are visible inside. */
function visible(searchPath: string, readable: readonly string[]): string {
  const folders = searchPath
    .split(':')
    .filter((folder) => roots(readable).some((root) => isBelow(root, folder)));
  return [...new Set([...folders, ...SYSTEM_PATH.split(':')])].join(':');
}

/** `/dev/null` is mounted without its device, so that it can't be opened. */
function cover(
  { path, how, copy = Buffer.alloc(0) }: ProtectedPath,
  inside: (path: string) => string,
  fds: Descriptors,
): string[] {
  const to = inside(path);
  switch (how) {
    case 'hidden file':
    case 'channel':
      return ['--ro-bind', '/dev/null', to];
    case 'hidden folder':
      return ['--size', '4096', '--tmpfs', to, '--remount-ro', to];
    case 'read-only':
      return ['--ro-bind', path, to];
    case 'copied':
      return ['--ro-bind-data', fds.add(namelessFile(copy)), to];
    case 'held':
      return ['--bind', path, to];
    case 'link':
    case 'git config':
      return [];
  }
}

/** Collects the descriptors that a process gets as 3, 4, … */
interface Descriptors {
  /** @returns The number that the descriptor has in the process. */
  add(fd: number): string;
  readonly all: readonly number[];
}

function createDescriptors(): Descriptors {
  const all: number[] = [];
  return {
    add(fd) {
      all.push(fd);
      return String(2 + all.length);
    },
    all,
  };
}

/** The running Node inside a sandbox: its path, and the required mount. */
interface NodePlace {
  /** Absolute, inside. */
  readonly program: string;
  /** Outside and inside, absolute; undefined if it is in `/usr`. */
  readonly mount: { readonly from: string; readonly to: string } | undefined;
  /** The folder of `program`, inside. */
  readonly folder: string;
}

const RUNTIME = '/runtime';

/**
 * If Node is outside `/usr` (nvm, a download), only its program file is mounted: the folder
 * around it may be a home folder.
 */
function nodePlace(execPath = process.execPath): NodePlace {
  const real = realpathSync(execPath);
  if (real.startsWith('/usr/')) return { program: real, mount: undefined, folder: dirname(real) };
  const program = `${RUNTIME}/bin/node`;
  return { program, mount: { from: real, to: program }, folder: `${RUNTIME}/bin` };
}
