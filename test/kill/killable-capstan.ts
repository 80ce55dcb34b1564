import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareCache } from '../runner/share-cache.ts';
import { plainManifest } from '../setup/temporary-capsules.ts';
import type { Person } from '../setup/temporary-person.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** Ends the process by SIGKILL at the first fail point of the name. */
const KILLER = `
globalThis[Symbol.for('capstan.fail-point')] = (name) => {
  if (name !== process.env.KILL_AT) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};`;

export interface Ended {
  readonly code: number | null;
  readonly wasKilled: boolean;
  readonly said: string;
}

/** The built command line, where every question is approved. With `killAt` it ends at that fail point. */
export type KillableCapstan = (words: readonly string[], killAt?: string) => Promise<Ended>;

export function killableCapstan(person: Person): KillableCapstan {
  shareCache(person.home);
  const killer = join(person.home, 'killer.cjs');
  writeFileSync(killer, KILLER);
  return (words, killAt) => {
    const env = {
      ...person.environment,
      CAPSTAN_APPROVE_MODE: 'allow',
      ...(killAt !== undefined && { KILL_AT: killAt }),
    };
    const child = spawn(process.execPath, ['--require', killer, launcher, ...words], {
      cwd: person.project,
      env,
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
