import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainManifest } from '../temporary-capsules.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

/** Reads the same file many times at once, and says how many answers held all that an answer may. */
const readingCapsule = `
const { createInterface } = require('node:readline');
const lines = createInterface({ input: process.stdin });
const reads = 49;
let answers = 0;
let full = 0;
lines.once('line', () => {
  for (let id = 0; id < reads; id += 1) {
    const args = { operation: 'read', path: 'big.txt', max_bytes: 1024 * 1024, max_lines: 4_000_000 - id };
    console.log(JSON.stringify({ type: 'tool_call_intent', id: String(id), tool: 'file_io', args, reason: 'all' }));
  }
  lines.on('line', (line) => {
    const { ok, result } = JSON.parse(line);
    answers += 1;
    if (ok && result.content.length > 1_000_000) full += 1;
    if (answers < reads) return;
    console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: full + ' full answers' }));
    process.exit(0);
  });
});
`;

function writeCapsule(): void {
  const dir = join(sandbox.home, 'capstan/data/agents/reader');
  mkdirSync(dir, { recursive: true });
  const grants = { tools: { file_io: { paths: ['**'] } } };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ ...plainManifest('reader'), grants }));
  writeFileSync(join(dir, 'entrypoint.cjs'), readingCapsule);
}

/** The most memory that a process had so far, in MB; undefined once it has ended. */
function peakMb(pid: number): number | undefined {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : (Number(kib) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}

describe.skipIf(process.platform !== 'linux')('the memory of a coordinator (Linux only)', () => {
  it.each([
    ['1.5 MB of newlines', '\n'.repeat(1_500_000)],
    ['1 MiB of one line', 'a'.repeat(1024 * 1024)],
  ])(
    'stays below 200 MB while a capsule reads a file 49 times at once: %s',
    async (_what, content) => {
      writeCapsule();
      writeFileSync(join(sandbox.workspace, 'big.txt'), content);
      const run = sandbox.start(['run', 'read it all', '--capsule', 'reader'], {
        CAPSTAN_PROVIDER: 'offline',
      });
      let peak = 0;
      const timer = setInterval(() => {
        peak = Math.max(peak, peakMb(run.child.pid ?? 0) ?? 0);
      }, 10);
      const { exitCode, stdout, stderr } = await run.ended;
      clearInterval(timer);
      expect(stdout + stderr).toContain('49 full answers');
      expect(exitCode).toBe(0);
      expect(peak).toBeGreaterThan(20);
      expect(peak).toBeLessThan(200);
    },
    60_000,
  );
});
