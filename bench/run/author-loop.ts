import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../../test/model-server/model-server.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');
const LONGEST_MS = 30_000;

/** From saving an overlay to the shown difference: `capsules dev` on a case with recorded answers. */
export async function measureAuthorLoop({ smoke }: BenchOptions): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'capstan-bench-author-'));
  const model = await startModelServer({ vendor: 'ollama', script: answerOf });
  const capsule = join(home, 'data/agents/mine');
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    CAPSTAN_HOME: home,
    CAPSTAN_PROVIDER: 'ollama',
    CAPSTAN_BASE_URL: model.baseUrl,
  };
  const start = (...args: string[]) =>
    spawn(process.execPath, [launcher, 'capsules', ...args], {
      cwd: home,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  let dev: ChildProcess | undefined;
  try {
    writeCapsule(capsule);
    await said(start('test', 'mine', '--record', '--model', model.model), /0 failed/);
    dev = start('dev', 'mine', '--case', 'harbour', '--json');
    await said(dev, /"run": 1,/);
    const times: number[] = [];
    for (let run = 2; run <= (smoke ? 3 : 8); run++) {
      const shown = said(dev, new RegExp(`"run": ${run},[^]*"duration_ms"`));
      const startedMs = performance.now();
      writeFileSync(join(capsule, 'skill.md'), `Say it in ${run} words.\n`);
      await shown;
      times.push(performance.now() - startedMs);
    }
    return [rowOf(times)];
  } finally {
    dev?.kill('SIGINT');
    await model.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function rowOf(times: readonly number[]): Row {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return {
    what: 'from saving an overlay to the shown difference of a replayed case',
    goal: 500,
    gate: 2_000,
    value: median,
    unit: 'ms',
    detail: `slowest ${Math.round(sorted.at(-1) ?? 0)} ms of ${times.length}`,
  };
}

/** Resolves once the output contains it, from now on. */
function said(child: ChildProcess, wanted: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error(`no ${wanted} in: ${text}`)), LONGEST_MS);
    const hear = (chunk: Buffer) => {
      text += chunk;
      if (!wanted.test(text)) return;
      clearTimeout(late);
      child.stdout?.off('data', hear);
      resolve();
    };
    child.stdout?.on('data', hear);
  });
}

function writeCapsule(dir: string): void {
  mkdirSync(join(dir, 'cases'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
  write('entrypoint.cjs', "'use strict';\nrequire(process.env.CAPSTAN_SDK).start({});\n");
  write('skill.md', 'Say it in one word.\n');
  write('cases/harbour.yaml', CASE);
  write(
    'manifest.json',
    JSON.stringify({
      id: 'mine',
      name: 'Mine',
      version: '1.0.0',
      description: 'Says what the notes say.',
      entrypoint: ['node', 'entrypoint.cjs'],
      grants: { tools: { file_io: { operations: ['read'], paths: ['**'] } } },
      skills: ['file_system'],
      task_kinds: [{ name: 'work', mode: 'agentic', description: 'Works.' }],
    }),
  );
}

const CASE = `task: Say what notes.txt says
inputs:
  notes.txt: The harbour was closed.
expect:
  text: harbour
`;

function answerOf({ messages }: { messages: readonly { readonly role: string }[] }) {
  const args = { operation: 'read', path: 'notes.txt' };
  if (messages.at(-1)?.role !== 'tool') return { tool_calls: [{ name: 'file_io', args }] };
  return { text: 'The harbour was closed.' };
}
