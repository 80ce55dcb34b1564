import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { runCapsule } from '../../src/runtime/runner.ts';
import { candidates } from '../../src/runtime/sandbox/find/find-isolation.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { aRequest } from '../../test/capsules/request.ts';
import { median } from '../measure/cpu-time.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

const sdkPath = join(import.meta.dirname, '../../dist/capsule-sdk.cjs');

/** A handler on the SDK that responds immediately. */
const entrypoint = `
'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => ({ test: async () => 'done' }) });
`;

async function startCapsule(dir: string, sandbox: Sandbox): Promise<void> {
  await runCapsule({
    clean: noSecrets.redact,
    capsule: 'starter',
    dir,
    entrypoint: ['node', 'entrypoint.cjs'],
    sdkPath,
    request: aRequest(),
    onIntent: () => Promise.reject(new Error('nothing is asked')),
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    sandbox,
  });
}

async function callTerminal(workspace: string, sandbox: Sandbox): Promise<void> {
  const { perform } = terminal.prepare({ argv: ['true'], access: 'read' });
  await perform({
    workspace,
    timeoutMs: 20_000,
    maxOutputBytes: 1_024 * 1_024,
    signal: new AbortController().signal,
    isProtected: () => false,
    privateOrigins: new Set(),
    sandbox,
  });
}

/** The cheapest possible command: the unit of a call's gate. */
async function startBash(): Promise<void> {
  const child = spawn('/bin/bash', ['-c', 'true'], { stdio: 'pipe', env: {} });
  await once(child, 'close');
}

/**
 * Milliseconds of wall time, medians of interleaved rounds: the processor time of a namespace is not counted for this
 * process.
 */
async function race(
  acts: readonly (() => Promise<void>)[],
  rounds: number,
): Promise<readonly number[]> {
  const taken = acts.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, act] of acts.entries()) {
      const startedMs = performance.now();
      await act();
      if (round > 0) taken[index]?.push(performance.now() - startedMs);
    }
  }
  return taken.map(median);
}

/** The cost of level A, if it is available. */
export async function measureIsolation({ smoke }: BenchOptions): Promise<Row[]> {
  const sandbox =
    process.platform === 'linux'
      ? candidates([]).find(({ level }) => level === 'A')?.sandbox
      : undefined;
  if (sandbox === undefined) return [];
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-bench-')));
  writeFileSync(join(dir, 'entrypoint.cjs'), entrypoint);
  try {
    const [open = NaN, walled = NaN] = await race(
      [() => startCapsule(dir, bare), () => startCapsule(dir, sandbox)],
      smoke ? 3 : 31,
    );
    const [bash = NaN, call = NaN] = await race(
      [startBash, () => callTerminal(dir, sandbox)],
      smoke ? 3 : 61,
    );
    return [
      {
        what: 'capsule at level A, from spawn to its end (× the same without isolation)',
        goal: 1.3,
        gate: 1.6,
        value: walled / open,
        unit: '×',
        detail: `${walled.toFixed(1)} ms on the clock; without: ${open.toFixed(1)} ms`,
      },
      {
        what: 'terminal call at level A (× `bash -c true`)',
        goal: 6,
        gate: 6,
        value: call / bash,
        unit: '×',
        detail: `${call.toFixed(1)} ms on the clock; \`bash -c true\`: ${bash.toFixed(1)} ms`,
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
