import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../contract/errors.ts';
import type { IsolationLevel } from '../../../contract/isolation.ts';
import { bare } from '../levels/bare.ts';
import type { Sandbox } from '../sandbox.ts';
import { SandboxRefused, selfTest } from '../self-test.ts';
import type { Candidate } from './candidate.ts';
import { candidates } from './candidates.ts';
import { circumstances } from './circumstances.ts';
import { findFailings } from './verdict.ts';

/** The level in force, why it is no better, and what processes are started in. */
export interface Isolation {
  readonly level: IsolationLevel;
  /** A few words, without a full stop. */
  readonly reason: string;
  readonly sandbox: Sandbox;
}

export interface FindIsolationOptions {
  /** What was found is kept here, as `isolation.json`. */
  readonly cacheDir: string;
  /** Files and folders beside the workspace that tools may read, absolute. */
  readonly readable: readonly string[];
  /** Default: what this system offers. */
  readonly candidates?: readonly Candidate[];
}

const HELD = 'a trial child could do nothing that it must not';

/**
 * The best level that holds here, found by letting a child try to get out; under the same circumstances it is not tried
 * again, unless a trial broke off: that says nothing of its level.
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

/** What was found is tried again at the next start: for a spawn that failed although it had worked. */
export function forgetIsolation(cacheDir: string): void {
  try {
    rmSync(join(cacheDir, 'isolation.json'), { force: true });
  } catch {
    // The cache is read-only.
  }
}

interface Found {
  readonly found: Isolation;
  /** No trial of a better level broke off. */
  readonly isVerdict: boolean;
}

async function tryAll(all: readonly Candidate[]): Promise<Found> {
  const problems: string[] = [];
  let isVerdict = true;
  for (const { level, sandbox, problem } of all) {
    const missing: Failing = { problem, isVerdict: true };
    const failing: Failing | undefined = sandbox ? await findFailing(sandbox) : missing;
    if (sandbox && failing === undefined) {
      const reason = level === 'A' ? HELD : problems.join('; ');
      return { found: { level, reason, sandbox }, isVerdict };
    }
    isVerdict &&= failing?.isVerdict ?? true;
    problems.push(`${level}: ${failing?.problem}`);
  }
  const reason = problems.join('; ') || `no sandbox is known for ${process.platform}`;
  return { found: { level: 'none', reason, sandbox: bare }, isVerdict };
}

interface Failing {
  readonly problem: string;
  /** False where the trial broke off, for want of memory or time say. */
  readonly isVerdict: boolean;
}

/** Why a sandbox does not hold; undefined where it does. */
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
    const problem = `a trial child could ${tried.value.join(', ')}`;
    return tried.value.length > 0 ? { problem, isVerdict: true } : undefined;
  }
  const { reason } = tried;
  if (reason instanceof SandboxRefused) return { problem: reason.message, isVerdict: true };
  const problem = `its trial broke off (${messageOf(reason)}) and is made again at the next start`;
  return { problem, isVerdict: false };
}

type Known = Omit<Isolation, 'sandbox'>;

function recall(cacheDir: string, key: string): Known | undefined {
  try {
    const kept = JSON.parse(readFileSync(join(cacheDir, 'isolation.json'), 'utf8'));
    return kept.key === key ? { level: kept.level, reason: String(kept.reason) } : undefined;
  } catch {
    return undefined;
  }
}

/** What can't be kept is tried again at the next start. */
function keep(cacheDir: string, key: string, { level, reason }: Isolation): void {
  try {
    const text = `${JSON.stringify({ key, level, reason })}\n`;
    writeFileSync(join(cacheDir, 'isolation.json'), text, { mode: 0o600 });
  } catch {}
}
