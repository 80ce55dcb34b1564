import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProgram } from '../programs/start-program.ts';
import type { Person } from '../setup/temporary-person.ts';

export interface Line {
  readonly started?: string;
  readonly task?: string;
  readonly working?: string;
  readonly ended?: string;
  readonly status?: string;
  readonly reason?: string | null;
}

/** A second process with its own runs. */
export interface OtherProcess {
  readonly child: ChildProcess;
  /** The first line that fits, printed already or later. */
  line(fits: (line: Line) => boolean): Promise<Line>;
  /** The id of the run with this task, once its capsule works. */
  working(task: string): Promise<string>;
  readonly exited: Promise<void>;
}

const started = new Set<ChildProcess>();

/** Kills every process that a failed test left running. */
export function killStarted(): void {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
}

/** Starts one process with one run per entry, `<capsule>:<task>`. */
export function startRuns(person: Person, ...runs: readonly string[]): OtherProcess {
  const env = { ...person.environment, CAPSTAN_PROVIDER: 'offline' };
  const child = startProgram('runs', runs, { cwd: person.project, env });
  started.add(child);
  const lines: Line[] = [];
  const checks = new Set<() => void>();
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text) as Line);
    for (const check of checks) check();
  });
  const line = (fits: (line: Line) => boolean) =>
    new Promise<Line>((resolve, reject) => {
      const check = () => {
        const found = lines.find(fits);
        if (!found) return;
        checks.delete(check);
        resolve(found);
      };
      checks.add(check);
      check();
      void exited.then(() => reject(new Error(`no such line: ${JSON.stringify(lines)}`)));
    });
  return {
    child,
    line,
    exited,
    async working(task) {
      const { started: id = '' } = await line((one) => one.task === task);
      await line((one) => one.working === id);
      return id;
    },
  };
}

/** Counts to the number in its task with one progress line each time; with no number it waits for ever. */
const handler = (everyMs: number) => `exports.handlers = { async work({ request, progress }) {
  const [count = '1e9'] = /\\d+/.exec(request.task) ?? [];
  for (let at = 1; at <= Number(count); at++) {
    if (count !== '1e9') progress('step ' + at);
    await new Promise((resolve) => setTimeout(resolve, ${everyMs}));
  }
  return 'Counted to ' + count + '.';
} };`;

/** Adds the capsule `counter`, which counts. @param everyMs Between two of its progress lines. */
export function addCounter(person: Person, everyMs = 20): void {
  const dir = join(person.home, 'data/agents/counter');
  mkdirSync(dir, { recursive: true });
  const manifest = {
    id: 'counter',
    name: 'counter',
    version: '1.0.0',
    description: 'Counts.',
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools: {} },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.' }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(dir, 'handlers.cjs'), handler(everyMs));
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';\nconst { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => require('./handlers.cjs').handlers });\n`,
  );
}
