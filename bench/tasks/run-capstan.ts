import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Maximum duration of one task, in milliseconds. */
const timeoutMs = 120_000;

export interface RunDocument {
  readonly status: string;
  readonly reason: string | null;
  readonly answer: string | null;
  readonly duration_ms: number;
  readonly error?: { readonly message: string };
  readonly subtasks?: readonly {
    readonly description: string;
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
}

interface Circumstances {
  readonly provider: string;
  readonly workspace: string;
  readonly home: string;
  /** Besides `PATH` and the home. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs one task in its own process; undefined if it prints no document. */
export async function runCapstan(
  task: string,
  { provider, workspace, home, environment }: Circumstances,
): Promise<RunDocument | undefined> {
  const args = [
    'run',
    '--json',
    '--provider',
    provider,
    '--workspace',
    workspace,
    '--approve-mode',
    'allow',
    '--',
    task,
  ];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CAPSTAN_HOME: home,
    ...environment,
  };
  const child = spawn(process.execPath, [join(root, 'bin/capstan.js'), ...args], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  clearTimeout(timer);
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as RunDocument;
  } catch {
    return undefined;
  }
}
