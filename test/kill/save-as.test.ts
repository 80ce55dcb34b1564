import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainManifest } from '../temporary-capsules.ts';
import { type Person, temporaryPerson } from '../temporary-person.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** Ends the process by SIGKILL at the first fail point of the name. */
const KILLER = `
globalThis[Symbol.for('capstan.fail-point')] = (name) => {
  if (name !== process.env.KILL_AT) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};`;

const CAPSULE = `'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
const files = { t: 'in.csv' };
const args = { files, sql: 'SELECT id, amount FROM t ORDER BY id DESC', save_as: 'out.csv' };
async function work({ call }) {
  await call('sql_query', args, 'to save the rows');
  return { text: 'saved' };
}
start({ handlers: () => ({ work }) });`;

let person: Person;
let killer: string;
beforeEach(() => {
  person = temporaryPerson();
  killer = join(person.home, 'killer.cjs');
  writeFileSync(killer, KILLER);
  const folder = join(person.home, 'data/agents/saver');
  mkdirSync(folder, { recursive: true });
  const grants = { tools: { sql_query: { paths: ['**'] } } };
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...plainManifest('saver'), grants }),
  );
  writeFileSync(join(folder, 'skill.md'), 'Saves rows.\n');
  writeFileSync(join(folder, 'entrypoint.cjs'), CAPSULE);
  person.writeProject('in.csv', 'id,amount\n1,10.50\n2,3.00\n');
});
afterEach(() => person.remove());

interface Ended {
  readonly code: number | null;
  readonly wasKilled: boolean;
  readonly said: string;
}

function capstan(words: readonly string[], killAt?: string): Promise<Ended> {
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
}

/** Where the file that was asked about is no longer what it was, resume asks again. */
async function resumeAnswered(run: string): Promise<Ended> {
  const resumed = await capstan(['resume', run]);
  const question = /approvals approve (\w+)/.exec(resumed.said)?.[1];
  if (question === undefined) return resumed;
  await capstan(['approvals', 'approve', question]);
  return capstan(['resume', run]);
}

const out = () => join(person.project, 'out.csv');
const contentOf = () => (existsSync(out()) ? readFileSync(out(), 'utf8') : 'absent');
const WHOLE = 'id,amount\n2,3.00\n1,10.50\n';

const cases = ['effect', 'place', 'placed', 'effected'].flatMap((point) => [
  [point, 'absent'] as const,
  [point, 'older\n'] as const,
]);

it.each(cases)(
  'a saved result is whole or not there when its run is killed at %s (before: %j), and saved by resume',
  async (point, before) => {
    if (before !== 'absent') writeFileSync(out(), before);
    const words = ['run', '--provider', 'offline', '--capsule', 'saver', 'Save the rows'];
    const first = await capstan(words, point);
    expect(first.wasKilled, first.said).toBe(true);
    expect([before, WHOLE]).toContain(contentOf());
    const [run] = JSON.parse((await capstan(['runs', 'list', '--json'])).said);
    const second = await resumeAnswered(run.run_id);
    expect(second.code, second.said).toBe(0);
    expect(contentOf()).toBe(WHOLE);
    expect(readdirSync(person.project).filter((name) => name.endsWith('.csv'))).toEqual([
      'in.csv',
      'out.csv',
    ]);
  },
  120_000,
);
