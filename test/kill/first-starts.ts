import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npx tsx test/kill/first-starts.ts --count 500`: first starts of the built command line, each with empty folders, while
 * every core is busy. Fails if one of them is ended by a signal or does not complete its run; prints its stderr then.
 *
 * `--launcher FILE`: another `bin/capstan.js`. `--parallel N`: starts at the same time (default: one for each core).
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    launcher: { type: 'string', default: join(import.meta.dirname, '../../bin/capstan.js') },
    parallel: { type: 'string', default: String(availableParallelism()) },
  },
});

/** Longest time of one start. */
const DEADLINE_MS = 120_000;

const root = mkdtempSync(join(tmpdir(), 'capstan-first-starts-'));

interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

function end(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  return new Promise((resolve) =>
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, stderr });
    }),
  );
}

async function startOnce(name: string): Promise<Ended> {
  const folder = join(root, name);
  const workspace = mkdtempSync(`${folder}-workspace-`);
  const home = mkdtempSync(`${folder}-home-`);
  writeFileSync(join(workspace, 'notes.md'), 'one\ntwo\n');
  const argv = ['run', 'Count the lines of notes.md'];
  try {
    return await end(
      spawn(process.execPath, [values.launcher, ...argv], {
        cwd: workspace,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, CAPSTAN_HOME: home },
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
  } finally {
    for (const one of [workspace, home]) rmSync(one, { recursive: true, force: true });
  }
}

/** Keeps one core busy until it is killed, or until this process has ended. */
const keepBusy = () =>
  spawn(process.execPath, ['-e', 'const { ppid } = process; while (process.ppid === ppid);'], {
    stdio: 'ignore',
  });

async function main(): Promise<number> {
  const count = Number(values.count);
  const busy = Array.from({ length: availableParallelism() }, keepBusy);
  let next = 0;
  let failed = 0;
  const startAll = async () => {
    while (next < count) {
      const name = String(next++);
      const { exitCode, signal, stderr } = await startOnce(name);
      if (exitCode === 0) continue;
      failed += 1;
      process.stdout.write(`start ${name}: exit code ${exitCode}, signal ${signal}\n${stderr}\n`);
    }
  };
  const began = performance.now();
  try {
    await Promise.all(Array.from({ length: Number(values.parallel) }, startAll));
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  const left = readdirSync(root).length;
  rmSync(root, { recursive: true, force: true });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(
    `${count} first starts, ${failed} failed, ${left} folders left, ${seconds} s\n`,
  );
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
