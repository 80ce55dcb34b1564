import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { shareCache } from '../runner/share-cache.ts';
import { plainManifest } from '../setup/temporary-capsules.ts';
import type { Person } from '../setup/temporary-person.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** Ends the process by SIGKILL at its n-th fail point, or at the first of that name. */
const KILLER = `
let count = 0;
globalThis[Symbol.for('capstan.fail-point')] = (name) => {
  if (![name, String(count++)].includes(process.env.KILL_AT)) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};`;

export interface Ended {
  readonly code: number | null;
  readonly wasKilled: boolean;
  readonly said: string;
}

/**
 * The built command line, where every question is approved. With `killAt` it is a process that ends at that fail point;
 * without, it ends inside this process.
 */
export type KillableCapstan = (
  words: readonly string[],
  killAt?: number | string,
) => Promise<Ended>;

export function killableCapstan(person: Person): KillableCapstan {
  shareCache(person.home);
  const killer = join(person.home, 'killer.cjs');
  writeFileSync(killer, KILLER);
  const environment = { ...person.environment, CAPSTAN_APPROVE_MODE: 'allow' };
  return async (words, killAt) => {
    if (killAt === undefined) {
      const ended = await builtCommandLine(words, { cwd: person.project, environment });
      const { exitCode: code, stdout, stderr } = ended;
      return { code, said: stdout + stderr, wasKilled: false };
    }
    const child = spawn(process.execPath, ['--require', killer, launcher, ...words], {
      cwd: person.project,
      env: { ...environment, KILL_AT: String(killAt) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    return new Promise((resolve) =>
      child.once('close', (code, signal) => resolve({ code, said, wasKilled: signal !== null })),
    );
  };
}

/** A capsule of the person that may use `sql_query` on all files. */
export function addCapsule(person: Person, id: string, entrypoint: string): void {
  const folder = join(person.home, 'data/agents', id);
  mkdirSync(folder, { recursive: true });
  const grants = { tools: { sql_query: { paths: ['**'] } } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...plainManifest(id), grants }));
  writeFileSync(join(folder, 'skill.md'), 'Works on data.\n');
  writeFileSync(join(folder, 'entrypoint.cjs'), entrypoint);
}
