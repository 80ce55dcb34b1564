import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { bare } from './bare.ts';
import type { Candidate } from './candidate.ts';
import { candidates } from './candidates.ts';
import { circumstances } from './circumstances.ts';
import type { IsolationLevel } from './level.ts';
import type { Sandbox } from './sandbox.ts';
import { selfTest } from './self-test.ts';
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
 * The best level that holds here, found by letting a child try to get out; under the same circumstances it is not tried again.
 */
export async function findIsolation(options: FindIsolationOptions): Promise<Isolation> {
  const all = options.candidates ?? candidates(options.readable);
  const key = circumstances();
  const known = recall(options.cacheDir, key);
  const before = all.find(({ level, sandbox }) => sandbox && level === known?.level);
  if (known && before?.sandbox) return { ...known, sandbox: before.sandbox };
  const found = await tryAll(all);
  if (found.level !== 'none') keep(options.cacheDir, key, found);
  return found;
}

/** What was found is tried again at the next start: for a spawn that failed although it had worked. */
export const forgetIsolation = (cacheDir: string): void =>
  rmSync(join(cacheDir, 'isolation.json'), { force: true });

async function tryAll(all: readonly Candidate[]): Promise<Isolation> {
  const problems: string[] = [];
  for (const { level, sandbox, problem } of all) {
    const failing = sandbox ? await findFailing(sandbox) : problem;
    if (sandbox && failing === undefined) {
      const reason = level === 'A' ? HELD : problems.join('; ');
      return { level, reason, sandbox };
    }
    problems.push(`${level}: ${failing}`);
  }
  const reason = problems.join('; ') || `no sandbox is known for ${process.platform}`;
  return { level: 'none', reason, sandbox: bare };
}

/** Why a sandbox does not hold; undefined where it does. */
async function findFailing(sandbox: Sandbox): Promise<string | undefined> {
  const who =
    sandbox.level === 'C' ? (['capsule'] as const) : (['capsule', 'reading tool'] as const);
  const tried = await Promise.allSettled(
    who.map(async (one) => {
      const result = await selfTest(sandbox, one, { isThorough: false });
      return findFailings(sandbox.level, one, result);
    }),
  );
  for (const one of tried) {
    if (one.status === 'rejected') return messageOf(one.reason);
    if (one.value.length > 0) return `a trial child could ${one.value.join(', ')}`;
  }
  return undefined;
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
