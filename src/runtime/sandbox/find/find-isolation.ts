import { readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../contract/errors.ts';
import { INTERRUPTED, type IsolationLevel } from '../../../contract/permissions/isolation.ts';
import { bootId } from '../../../platform/process-mark.ts';
import { textOfFile, tryOr } from '../../../platform/try-or.ts';
import { bubblewrap } from '../bubblewrap/bubblewrap.ts';
import { landlock } from '../landlock/landlock.ts';
import { bare } from '../levels/bare.ts';
import { nodePermission } from '../levels/node-permission.ts';
import type { Sandbox } from '../sandbox.ts';
import { SandboxRefused, selfTest } from '../self-test.ts';
import { findLinuxPrograms } from './programs.ts';
import { findFailings } from './verdict.ts';

/** The isolation level, the reason for it, and its sandbox. */
export interface Isolation {
  readonly level: IsolationLevel;
  /** A few words, without a full stop. */
  readonly reason: string;
  readonly sandbox: Sandbox;
}

export interface FindIsolationOptions {
  /** The folder for the cached result, `isolation.json`. */
  readonly cacheDir: string;
  /** Files and folders outside the workspace that tools may read, absolute. */
  readonly readable: readonly string[];
  /** Default: those of this system. */
  readonly candidates?: readonly Candidate[];
}

const VERIFIED = 'verified: a test process could not escape';

/**
 * The best level that works here, found by a test process that tries to escape. The result is cached for the same environment,
 * unless a test was interrupted, which gives no result.
 */
export async function findIsolation(options: FindIsolationOptions): Promise<Isolation> {
  const all = options.candidates ?? candidates(options.readable);
  const key = circumstances();
  const known = recall(options.cacheDir, key);
  const before = all.find(({ level, sandbox }) => sandbox && level === known?.level);
  if (known && before?.sandbox) return { ...known, sandbox: before.sandbox };
  const { found, isVerdict } = await tryAll(all);
  if (found.level !== 'none' && isVerdict) keep(options.cacheDir, key, found);
  return found;
}

/** Discards the cached result, so that the next start tests again: for a spawn that failed although it had worked. */
export const clearIsolationCache = (cacheDir: string): void =>
  tryOr(() => rmSync(fileIn(cacheDir), { force: true }), undefined);

const fileIn = (cacheDir: string): string => join(cacheDir, 'isolation.json');

/** `isVerdict`: whether no test of a better level was interrupted. */
async function tryAll(all: readonly Candidate[]) {
  const problems: string[] = [];
  let isVerdict = true;
  for (const { level, sandbox, problem } of all) {
    const failing = sandbox ? await findFailing(sandbox) : { problem, isVerdict: true };
    if (sandbox && failing === undefined) {
      const reason = level === 'A' ? VERIFIED : problems.join('; ');
      return { found: { level, reason, sandbox }, isVerdict };
    }
    isVerdict &&= failing?.isVerdict ?? true;
    problems.push(`${level}: ${failing?.problem}`);
  }
  const reason = problems.join('; ') || `no sandbox is known for ${process.platform}`;
  return { found: { level: 'none', reason, sandbox: bare } as const, isVerdict };
}

interface Failing {
  readonly problem: string;
  /** False if the test was interrupted, for example because of memory or time. */
  readonly isVerdict: boolean;
}

/** Why a sandbox fails its test; undefined if it passes. */
async function findFailing(sandbox: Sandbox): Promise<Failing | undefined> {
  const who =
    sandbox.level === 'C' ? (['capsule'] as const) : (['capsule', 'reading tool'] as const);
  const tried = await Promise.allSettled(
    who.map(async (one) => {
      const result = await selfTest(sandbox, one, { isThorough: false });
      return findFailings(sandbox.level, one, result);
    }),
  );
  const failings = tried.map(failingOf).filter((one) => one !== undefined);
  return failings.find((one) => one.isVerdict) ?? failings[0];
}

function failingOf(tried: PromiseSettledResult<readonly string[]>): Failing | undefined {
  if (tried.status === 'fulfilled') {
    const problem = `a test process could ${tried.value.join(', ')}`;
    return tried.value.length > 0 ? { problem, isVerdict: true } : undefined;
  }
  const { reason } = tried;
  if (reason instanceof SandboxRefused) return { problem: reason.message, isVerdict: true };
  const problem = `${INTERRUPTED} (${messageOf(reason)}) and is repeated at the next start`;
  return { problem, isVerdict: false };
}

function recall(cacheDir: string, key: string): Omit<Isolation, 'sandbox'> | undefined {
  const kept = tryOr(() => JSON.parse(textOfFile(fileIn(cacheDir))), undefined);
  return kept?.key === key ? { level: kept.level, reason: String(kept.reason) } : undefined;
}

/** If the result can't be cached, the next start tests again. */
function keep(cacheDir: string, key: string, { level, reason }: Isolation): void {
  const text = `${JSON.stringify({ key, level, reason })}\n`;
  tryOr(() => writeFileSync(fileIn(cacheDir), text, { mode: 0o600 }), undefined);
}

/** To be incremented when the guarantees of a level change: invalidates the results of older versions. */
const PROMISES = 5;

/** Kernel settings that enable bubblewrap without a reboot. */
const settings = [
  '/proc/sys/user/max_user_namespaces',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
];

/** Everything that the isolation level depends on, as one text: the cache key. */
function circumstances(): string {
  const { bwrap, prlimit, python3 } = findLinuxPrograms();
  return JSON.stringify([
    PROMISES,
    bootId(),
    release(),
    [bwrap, prlimit, python3].map(stampOf),
    // Another container may share the same folders.
    ['user', 'mnt'].map((name) => tryOr(() => readlinkSync(`/proc/self/ns/${name}`), '')),
    settings.map((path) => textOfFile(path).trim()),
    process.getuid?.(),
    process.execPath,
    process.version,
  ]);
}

function stampOf(path: string | undefined): readonly unknown[] | undefined {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats && [path, stats.size, stats.mtimeMs, stats.mode];
}

/** A sandbox that may work here, or a short reason why it can't. */
export interface Candidate {
  readonly level: Sandbox['level'];
  readonly sandbox: Sandbox | undefined;
  readonly problem: string;
}

/**
 * The sandboxes to try on this system, best first. `sandbox-exec` of macOS has not been tested on a Mac; job objects and
 * restricted tokens of Windows are not used yet, and WSL 2 counts as Linux.
 */
export function candidates(
  readable: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly Candidate[] {
  if (platform === 'linux') return linuxCandidates(readable);
  const problem = unsupported[platform];
  if (problem === undefined) return [];
  return [{ level: 'A', sandbox: undefined, problem }, permission(undefined)];
}

const unsupported: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'there is no sandbox for macOS yet',
  win32: 'there is no sandbox for Windows yet; use WSL 2',
};

const permission = (prlimit: string | undefined): Candidate => ({
  level: 'C',
  sandbox: nodePermission({ prlimit }),
  problem: '',
});

const NO_FILTER = `no system call filter is known for ${process.arch}`;

/** Level A by bubblewrap, B by Landlock, C by Node. */
function linuxCandidates(readable: readonly string[]): readonly Candidate[] {
  const { bwrap, prlimit, python3 } = findLinuxPrograms();
  const missing = (name: string, path: string | undefined): string | undefined =>
    path === undefined ? `${name} is not installed` : undefined;
  return [
    {
      level: 'A',
      sandbox:
        bwrap && prlimit ? bubblewrap({ programs: { bwrap, prlimit }, readable }) : undefined,
      problem: missing('bubblewrap', bwrap) ?? missing('prlimit', prlimit) ?? NO_FILTER,
    },
    {
      level: 'B',
      sandbox:
        python3 && prlimit ? landlock({ programs: { python3, prlimit }, readable }) : undefined,
      problem: missing('python3', python3) ?? missing('prlimit', prlimit) ?? NO_FILTER,
    },
    permission(prlimit),
  ];
}
