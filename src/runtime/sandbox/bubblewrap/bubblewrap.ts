import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capsuleEntries, capsuleEnvironment } from '../capsule-process.ts';
import { filterDescriptors } from '../landlock/seccomp-filter.ts';
import {
  CAPSULE_TMP_BYTES,
  capsuleLimits,
  type Limits,
  limitArgs,
  queryLimits,
  TOOL_TMP_BYTES,
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
import { namelessFile } from './nameless-file.ts';
import { etcMounts, libraryMounts, systemMounts } from './system-mounts.ts';

/** Paths inside the sandbox. */
const CAPSULE = '/capsule';
const SDK = '/sdk.cjs';
const PROXY = '/network';
const HOME = '/tmp/.home';
const GIT_CONFIG = `${HOME}/.gitconfig`;
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

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
    forCapsule: (request) => singlePlan(capsuleOf(request), programs, () => filterFd('capsule')),
    forTool: (request) => {
      const variant = request.proxySocket === undefined ? 'tool' : 'networked tool';
      return toolPlan(request, { ...programs, readable }, () => filterFd(variant));
    },
    forQuery: (request) => singlePlan(queryOf(request), programs, () => filterFd('capsule')),
    sees: (path) => isBelowAny(roots(readable), path),
    findProblem: (stderr) => /^(?:bwrap|prlimit): ([^\n]*)/.exec(stderr)?.[1],
  };
}

type Programs = BubblewrapOptions['programs'];

/** Passes the options in a file, because the first process inside would reveal its command line, with outside paths. */
const sealed = (bwrap: string, options: readonly string[], fds: number[]): Argv => {
  const file = namelessFile(Buffer.from(options.join('\0')));
  return [bwrap, '--args', pass(file, fds), '--'];
};

/** A process that starts no other one. */
interface Single {
  readonly hostname: string;
  /** Inside; `node` becomes the running Node. */
  readonly argv: Argv;
  readonly limits: Limits;
  /** Arguments of bwrap. */
  readonly mounts: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its first descriptors. Default: none. */
  readonly fds?: readonly number[];
}

const capsuleOf = ({ argv, dir, sdkPath, cpuSec }: CapsuleSandboxRequest): Single => ({
  hostname: 'capsule',
  argv,
  limits: capsuleLimits(cpuSec),
  mounts: [
    ...['--dir', CAPSULE, '--ro-bind', sdkPath, SDK],
    ...capsuleEntries(dir).flatMap((name) => ['--ro-bind', join(dir, name), join(CAPSULE, name)]),
  ],
  cwd: CAPSULE,
  env: capsuleEnvironment(SDK),
});

const queryOf = (request: QuerySandboxRequest): Single => ({
  hostname: 'query',
  argv: ['node', request.script],
  limits: queryLimits(request),
  mounts: [request.script, ...request.reads].flatMap((path) => ['--ro-bind-try', path, path]),
  cwd: '/',
  env: {},
  fds: request.fds,
});

function singlePlan(one: Single, { bwrap, prlimit }: Programs, openFilter: () => number) {
  const node = nodePlace();
  const [program, ...args] = one.argv;
  const isNode = program === 'node';
  const fds = [...(one.fds ?? [])];
  const options = [
    ...[...namespaceArgs, '--hostname', one.hostname],
    ...(isNode && node.mount.length > 0 ? [...libraryMounts(), ...node.mount] : systemMounts()),
    ...[...devices(noSharedZeros), '--size', String(CAPSULE_TMP_BYTES), '--tmpfs', '/tmp'],
    ...one.mounts,
    ...['--remount-ro', '/', '--chdir', one.cwd, '--seccomp', pass(openFilter(), fds)],
  ];
  const limited: Argv = [prlimit, ...limitArgs(one.limits), ...sealed(bwrap, options, fds)];
  return planFor([...limited, isNode ? node.program : program, ...args], one.env, fds);
}

const planFor = (
  argv: Argv,
  env: Readonly<Record<string, string>>,
  fds: readonly number[],
): SpawnPlan => ({ argv, cwd: '/', env, fds, isSealed: true });

function toolPlan(
  request: ToolSandboxRequest,
  { bwrap, prlimit, readable }: Programs & Pick<BubblewrapOptions, 'readable'>,
  openFilter: () => number,
): SpawnPlan {
  const node = nodePlace();
  const inside = insideWorkspace(request.workspace);
  const binding = request.access === 'write' ? '--bind' : '--ro-bind';
  const shared = ['--size', String(TOOL_TMP_BYTES), '--tmpfs', '/dev/shm'];
  const fds: number[] = [];
  const options = [
    ...[...namespaceArgs, '--hostname', 'tool', ...systemMounts(), ...etcMounts(), ...node.mount],
    ...[...devices(shared), '--size', String(TOOL_TMP_BYTES), '--tmpfs', '/tmp', '--dir', HOME],
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--perms', '0644', '--ro-bind-data', pass(namelessFile(PASSWD), fds), '/etc/passwd'],
    ...['--perms', '0644', '--ro-bind-data', pass(namelessFile(GROUP), fds), '/etc/group'],
    ...(request.gitPaths ?? []).flatMap((path) => ['--ro-bind', path, path]),
    ...(request.gitConfig === undefined
      ? []
      : ['--file', pass(namelessFile(Buffer.from(request.gitConfig)), fds), GIT_CONFIG]),
    ...[binding, request.workspace, inside(request.workspace)],
    ...request.covered.flatMap((path) => cover(path, inside, fds)),
    ...(request.proxySocket === undefined ? [] : ['--ro-bind', request.proxySocket, PROXY]),
    ...['--remount-ro', '/', '--chdir', inside(request.cwd), '--seccomp', pass(openFilter(), fds)],
  ];
  const argv: Argv = [
    ...sealed(bwrap, options, fds),
    ...(request.proxySocket === undefined
      ? []
      : [node.program, '-e', NETWORK_FORWARDER, '--', PROXY]),
    ...[prlimit, ...limitArgs(toolLimits(request.cpuSec)), '--', ...request.argv],
  ];
  const env = {
    ...request.variables,
    PATH: visible(request.searchPath, readable, dirname(node.program)),
    LANG: 'C.UTF-8',
    ...{ HOME, USER, LOGNAME: USER },
    TMPDIR: '/tmp',
    ...(request.proxySocket === undefined ? {} : proxyVariables),
  };
  return planFor(argv, env, fds);
}

/** The port of the proxy inside the sandbox, the only server in its network. */
const FORWARDER_PORT = 3128;

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

/** The folders of the search path that are visible inside, the system's and Node's. */
function visible(searchPath: string, readable: readonly string[], nodeFolder: string): string {
  const folders = searchPath.split(':').filter((folder) => isBelowAny(roots(readable), folder));
  return [...new Set([...folders, ...SYSTEM_FOLDERS, nodeFolder])].join(':');
}

/** `/dev/null` is mounted without its device, so that it can't be opened. */
function cover(
  { path, how, copy = Buffer.alloc(0) }: ProtectedPath,
  inside: (path: string) => string,
  fds: number[],
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
      return ['--ro-bind-data', pass(namelessFile(copy), fds), to];
    case 'held':
      return ['--bind', path, to];
    case 'link':
    case 'git config':
      return [];
  }
}

/** Adds a descriptor to those that a process gets. @returns The number that it has there. */
const pass = (fd: number, fds: number[]): string => String(2 + fds.push(fd));

interface NodePlace {
  /** Absolute, inside. */
  readonly program: string;
  /** Arguments of bwrap; empty if it is in `/usr`. */
  readonly mount: readonly string[];
}

const RUNTIME = '/runtime/bin/node';

/**
 * If Node is outside `/usr` (nvm, a download), only its program file is mounted: the folder
 * around it may be a home folder.
 */
function nodePlace(): NodePlace {
  const real = realpathSync(process.execPath);
  if (real.startsWith('/usr/')) return { program: real, mount: [] };
  return { program: RUNTIME, mount: ['--ro-bind', real, RUNTIME] };
}

/**
 * Listens on a port of the sandbox's own loopback, forwards every connection to a Unix socket, and runs a program until it
 * exits: most programs connect to a proxy over TCP only. For `node -e`, with the socket, the program and its arguments.
 */
const NETWORK_FORWARDER = `
'use strict';
const net = require('node:net');
const os = require('node:os');
const { spawn } = require('node:child_process');
const [socket, program, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: socket, allowHalfOpen: true });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
});
server.on('error', (error) => {
  process.stderr.write('bwrap: its network connection can not be set up: ' + error.message + '\\n');
  process.exit(1);
});
server.listen(${FORWARDER_PORT}, '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.once('error', (error) => {
    process.stderr.write('bwrap: execvp ' + program + ': ' + error.message + '\\n');
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
});
`;
