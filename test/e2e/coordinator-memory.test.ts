import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './capstan.ts';

/** Maximum memory of the coordinator, in MiB, for any requests of a capsule. */
const MAX_MIB = 200;

const MIB = 1024 * 1024;

const TIMES = 49;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

/** A capsule that makes this call for 49 files at once. Changes are denied. */
function addGreedy(args: Record<string, unknown>, content: string): void {
  for (let at = 0; at < TIMES; at += 1)
    writeFileSync(join(sandbox.workspace, `big-${at}.txt`), content);
  const dir = join(sandbox.home, 'capstan/data/agents/greedy');
  mkdirSync(dir, { recursive: true });
  const manifest = {
    ...{ id: 'greedy', name: 'Greedy', version: '1.0.0', description: 'Reads much at once.' },
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: {
      tools: {
        file_io: {
          operations: ['read', 'search', 'list', 'write', 'edit', 'replace', 'append'],
          paths: ['**'],
        },
      },
    },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.', examples: [] }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => ({ async work({ call }) {
  const calls = Array.from({ length: ${TIMES} }, (_, at) =>
    call('file_io', { ...${JSON.stringify(args)}, path: 'big-' + at + '.txt' }, 'to read it').then(() => 'read', () => 'refused'));
  return { text: String((await Promise.all(calls)).filter((how) => how === 'read').length) + ' read' };
} }) });
`,
  );
}

/** The most memory that the process had while it ran, in MiB (proc(5), \`VmHWM\`), and what it answered. */
async function peakOf(): Promise<{ peak: number; stdout: string }> {
  const args = ['run', '--provider', 'offline', '--capsule', 'greedy'];
  args.push('--approve-mode', 'deny', '--json', 'Read it all');
  const { child, ended } = sandbox.start(args);
  let peak = 0;
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 20);
  const { stdout } = await ended;
  clearInterval(timer);
  return { peak, stdout };
}

describe.runIf(process.platform === 'linux')('the coordinator limits its memory', () => {
  it.each([
    ['lines without anything in them', '\n'.repeat(1.5 * MIB)],
    ['short lines', 'ab\n'.repeat(MIB / 3)],
    ['one long line', 'x'.repeat(MIB)],
  ])('with 49 parallel reads of %s', async (_name, content) => {
    addGreedy({ operation: 'read', max_bytes: 4_000_000 }, content);
    const { peak, stdout } = await peakOf();
    expect(stdout).toContain('49 read');
    expect(peak).toBeLessThan(MAX_MIB);
  });

  it('with 49 parallel searches that find every line', async () => {
    addGreedy({ operation: 'search', pattern: 'a', max_results: 10_000 }, 'ab\n'.repeat(MIB / 3));
    const { peak } = await peakOf();
    expect(peak).toBeLessThan(MAX_MIB);
  });

  it('with 49 parallel writes of new files', async () => {
    addGreedy({ operation: 'write', content: 'x'.repeat(MIB) }, '');
    for (let at = 0; at < TIMES; at += 1) rmSync(join(sandbox.workspace, `big-${at}.txt`));
    const { peak, stdout } = await peakOf();
    expect(stdout).toContain('49 read');
    expect(peak).toBeLessThan(MAX_MIB);
  });

  it.each([
    ['edits', MIB, { operation: 'edit', old_text: 'Q', new_text: 'q' }],
    [
      'edits that multiply the text',
      MIB,
      { operation: 'edit', old_text: '\n', new_text: 'long '.repeat(60), replace_all: true },
    ],
    [
      'replacements by a pattern',
      MIB / 8,
      { operation: 'replace', pattern: '\\n', new_text: ' \n' },
    ],
  ])('with 49 parallel %s that nobody approves', async (_name, bytes, args) => {
    addGreedy(args, `${'\n'.repeat(bytes - 1)}Q`);
    const { peak } = await peakOf();
    expect(peak).toBeLessThan(MAX_MIB);
  });
});
