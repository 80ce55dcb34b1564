import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
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

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A capsule that makes these calls at once, with arguments that they share. Changes are denied. */
function addGreedy(tools: Record<string, unknown>, calls: readonly Call[], shared = {}): void {
  const dir = join(sandbox.home, 'capstan/data/agents/greedy');
  mkdirSync(dir, { recursive: true });
  const manifest = {
    ...{ id: 'greedy', name: 'Greedy', version: '1.0.0', description: 'Reads much at once.' },
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.', examples: [] }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(dir, 'calls.json'), JSON.stringify({ calls, shared }));
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
const { calls: all, shared } = JSON.parse(require('node:fs').readFileSync(__dirname + '/calls.json', 'utf8'));
start({ handlers: () => ({ async work({ call }) {
  const calls = all.map(({ tool, args }) => call(tool, { ...shared, ...args }, 'to read it').then(() => 'read', () => 'refused'));
  return { text: String((await Promise.all(calls)).filter((how) => how === 'read').length) + ' read' };
} }) });
`,
  );
}

/** The same for 49 files with this content. */
function addFileReader(args: Record<string, unknown>, content: string): void {
  const paths = Array.from({ length: TIMES }, (_, at) => `big-${at}.txt`);
  for (const path of paths) writeFileSync(join(sandbox.workspace, path), content);
  const operations = ['read', 'search', 'list', 'write', 'edit', 'replace', 'append'];
  const calls = paths.map((path) => ({ tool: 'file_io', args: { path } }));
  addGreedy({ file_io: { operations, paths: ['**'] } }, calls, args);
}

/** The most memory that the process had while it ran, in MiB (proc(5), \`VmHWM\`), and what it answered. */
async function peakOf(
  task = 'Read it all',
  environment = {},
): Promise<{ peak: number; stdout: string }> {
  const args = ['run', '--provider', 'offline', '--capsule', 'greedy'];
  args.push('--approve-mode', 'deny', '--json', task);
  const { child, ended } = sandbox.start(args, environment);
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
    addFileReader({ operation: 'read', max_bytes: 4_000_000 }, content);
    const { peak, stdout } = await peakOf();
    expect(stdout).toContain('49 read');
    expect(peak).toBeLessThan(MAX_MIB);
  });

  it('with 49 parallel searches that find every line', async () => {
    addFileReader(
      { operation: 'search', pattern: 'a', max_results: 10_000 },
      'ab\n'.repeat(MIB / 3),
    );
    const { peak } = await peakOf();
    expect(peak).toBeLessThan(MAX_MIB);
  });

  it('with 49 parallel writes of new files', async () => {
    addFileReader({ operation: 'write', content: 'x'.repeat(MIB) }, '');
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
    addFileReader(args, `${'\n'.repeat(bytes - 1)}Q`);
    const { peak } = await peakOf();
    expect(peak).toBeLessThan(MAX_MIB);
  });

  it('with parallel requests for large pages of many elements', async () => {
    const page = `<table>${'<tr><td>x</td></tr>'.repeat((4 * MIB - 100) / 19)}`;
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(page);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const calls = Array.from({ length: 2 }, (_, at) => ({
      tool: 'web_fetch',
      args: { url: `http://${host}/${at}` },
    }));
    addGreedy({ web_fetch: { hosts: [host] } }, calls);
    const { peak, stdout } = await peakOf(`Read http://${host}/`, {
      CAPSTAN_PRIVATE_ORIGINS: `http://${host}`,
    });
    server.close();
    expect(peak).toBeLessThan(MAX_MIB);
    expect(stdout).toContain('2 read');
  });

  it.skipIf(!hasBubblewrap)(
    'with programs that flood their output, or save much of it',
    async () => {
      writeFileSync(join(sandbox.workspace, 'rows.csv'), `a\n${'1\n'.repeat(50_000)}`);
      const save = (at: number): Call => ({
        tool: 'python_exec',
        args: { code: `for i in range(60): print(chr(1)*999999)\n#${at}`, save_as: `${at}.txt` },
      });
      const query = (at: number): Call => ({
        tool: 'sql_query',
        args: {
          files: { t: 'rows.csv' },
          sql: `SELECT printf('%.*c', 900, 'a') FROM t WHERE a != -${at}`,
          save_as: `${at}.csv`,
        },
      });
      const both =
        "import sys\nfor i in range(200): sys.stdout.write(chr(1)*9000); sys.stderr.write('e'*9000)";
      const flood = (at: number): Call => ({
        tool: 'terminal',
        args: { argv: ['python3', '-c', `${both}\n#${at}`] },
      });
      const times = (count: number, one: (at: number) => Call) =>
        Array.from({ length: count }, (_, at) => one(at));
      const commands = ['**'];
      const paths = ['**'];
      addGreedy(
        {
          python_exec: { operations: ['read'], commands, paths },
          sql_query: { operations: ['read', 'save'], paths },
          terminal: { operations: ['read'], commands },
        },
        [...times(2, save), ...times(3, query), ...times(11, flood)],
      );
      const { peak, stdout } = await peakOf();
      expect(stdout).toContain('16 read');
      expect(peak).toBeLessThan(MAX_MIB);
    },
  );
});
