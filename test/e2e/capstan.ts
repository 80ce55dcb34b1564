import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDocument } from '../../src/app/runs/show/run-document.ts';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { builtCommandLine } from '../programs/built-command-line.ts';
import type { Ended } from '../programs/command-line.ts';
import { shareCache } from '../runner/share-cache.ts';

export const launcher = join(import.meta.dirname, '../../bin/capstan.js');

export interface Sandbox {
  readonly workspace: string;
  /** Capstan's own four folders. */
  readonly home: string;
  /** One command to its end, inside this process: everything but the launcher, the bundle and signals. */
  run(args: readonly string[], environment?: Record<string, string>): Promise<Ended>;
  /** The same with `--json`, its document parsed. */
  runJson(
    args: readonly string[],
    environment?: Record<string, string>,
  ): Promise<Ended & { document: RunDocument }>;
  /** The same in a process of its own, which may be still running, and the promise of its end. */
  start(args: readonly string[], environment?: Record<string, string>): Started;
  remove(): void;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once stderr and stdout together contain this text. */
  said(text: string): Promise<void>;
}

/**
 * An empty workspace and a Capstan of its own: nothing of the machine's environment but PATH reaches it.
 *
 * @param options.isFirstStart Whether its home is empty, compiled code included: slower.
 */
export function createSandbox({ isFirstStart = false } = {}): Sandbox {
  const root = mkdtempSync(join(tmpdir(), 'capstan-e2e-'));
  const workspace = mkdtempSync(join(root, 'workspace-'));
  const home = mkdtempSync(join(root, 'home-'));
  if (!isFirstStart) shareCache(join(home, 'capstan'));
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CAPSTAN_HOME: join(home, 'capstan'),
  };
  const start: Sandbox['start'] = (args, environment = {}) => {
    const child = spawn(process.execPath, [launcher, ...asOnEveryMachine(args)], {
      cwd: workspace,
      env: { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return follow(child);
  };
  const run: Sandbox['run'] = (args, environment) =>
    builtCommandLine(asOnEveryMachine(args), {
      cwd: workspace,
      environment: { ...own, ...environment },
    });
  return {
    workspace,
    home,
    start,
    run,
    async runJson(args, environment) {
      const ended = await run([...args, '--json'], environment);
      return { ...ended, document: JSON.parse(ended.stdout) as RunDocument };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Commands that start capsules. */
const starting: ReadonlySet<string | undefined> = new Set(['run', 'resume', 'fork', 'replay']);

/** Without bubblewrap, commands are always asked about: a test that names no level then runs without a sandbox. */
export function asOnEveryMachine(args: readonly string[]): readonly string[] {
  const namesLevel = args.some((word) => word.endsWith('-isolation'));
  if (hasBubblewrap || namesLevel || !starting.has(args[0])) return args;
  return [...args.slice(0, 1), '--dangerously-no-isolation', ...args.slice(1)];
}

function follow(child: ChildProcess): Started {
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const check of waiting) check();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    notify();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    notify();
  });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr })),
  );
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!stderr.includes(text) && !stdout.includes(text)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
      void ended.then(() =>
        reject(new Error(`ended without saying "${text}":\n${stderr}${stdout}`)),
      );
    });
  return { child, ended, said };
}
