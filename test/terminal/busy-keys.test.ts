import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addCounter, killStarted, startRuns } from '../app/other-process.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { openScreen, type Screen } from './open-screen.ts';

const RUNS = 10;
const KEYS = 60;
/** Between two events of a run, in milliseconds: 20 a second. */
const EVENT_MS = 50;
/** The goal is 50 ms; the rest is a tolerance for a busy machine. */
const KEY_LIMIT_MS = 150;
/** A lone Esc may begin a sequence for this long. */
const ESC_WAIT_MS = 25;
const FRAME_BYTES = 4_096;

let person: Person;
let screen: Screen;
beforeEach(() => {
  person = temporaryPerson();
  addCounter(person, EVENT_MS);
});
afterEach(() => {
  screen.kill();
  killStarted();
  person.remove();
});

/** Types a key. Returns how long it took to the screen, in milliseconds. */
async function timed(key: string, isShown: () => boolean): Promise<number> {
  const start = performance.now();
  screen.type(key);
  while (!isShown()) {
    if (performance.now() - start > 5_000)
      throw new Error(`${key} is not shown:\n${screen.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return performance.now() - start;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Begins to follow every run, from the list. */
async function followAll(): Promise<void> {
  for (let row = 0; row < RUNS; row++) {
    screen.type('/runs\r');
    await screen.shows('Runs in');
    await screen.shows('Count to');
    screen.type(`${'\u001b[B'.repeat(row)}`);
    await pause(100);
    screen.type('f');
    await screen.shows(/Enter adds the next task · Esc stops it/);
    if (row > 0) await screen.shows(followed(row + 1));
  }
}

/** Up to three runs that are not in focus have a line of their own. */
const followed = (count: number): RegExp =>
  count <= 4
    ? new RegExp(`(?:^. [0-9a-f]{8} .*\\n){${count - 1}}`, 'm')
    : new RegExp(`${count - 4} more runs?`);

/** Events that all runs wrote until now. */
function eventCount(): number {
  const folder = join(person.home, 'state/runs');
  const logs = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return logs
    .map((name) => readFileSync(join(folder, name), 'utf8').split('\n').length - 1)
    .reduce((sum, count) => sum + count, 0);
}

const p95 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;

it('a key is on the screen immediately while ten followed runs emit 20 events a second each', async () => {
  const tasks = Array.from({ length: RUNS }, (_, index) => `Count to ${9_001 + index}`);
  const owner = startRuns(person, ...tasks.map((task) => `counter:${task}`));
  await Promise.all(tasks.map((task) => owner.working(task)));
  screen = openScreen({
    cwd: person.project,
    env: {
      CAPSTAN_HOME: person.home,
      HOME: person.environment['HOME'] ?? '',
      CAPSTAN_PROVIDER: 'offline',
    },
  });
  await screen.shows('/ menu');
  await followAll();

  const begun = { ms: performance.now(), events: eventCount() };
  const keys: number[] = [];
  let line = '›';
  for (const [index, key] of [...'abcdefghijklmnopqrstuvwxyz'.repeat(3)].slice(0, KEYS).entries()) {
    line += index === 0 ? ` ${key}` : key;
    const wanted = line;
    keys.push(await timed(key, () => screen.text().includes(wanted)));
    await pause(40);
  }
  screen.type('\u0015');
  await screen.hides('› abc');

  const escapes: number[] = [];
  for (let count = 0; count < 20; count++) {
    screen.type('/cl');
    await screen.shows('▸ clear');
    escapes.push(await timed('\u001b', () => !screen.text().includes('▸ clear')));
    screen.type('\u0015');
    await screen.hides('› /cl');
  }

  const seconds = (performance.now() - begun.ms) / 1_000;
  const rate = (eventCount() - begun.events) / seconds;
  const frames = screen.written().split('\u001b[?2026h').slice(1);
  const bytes = Math.max(...frames.map((frame) => Buffer.byteLength(frame)));
  console.log(
    `key to screen p95 ${p95(keys).toFixed(1)} ms, Esc ${p95(escapes).toFixed(1)} ms; ${frames.length} frames of at most ${bytes} bytes; ${rate.toFixed(0)} events a second`,
  );
  expect(p95(keys)).toBeLessThanOrEqual(KEY_LIMIT_MS);
  expect(p95(escapes)).toBeLessThanOrEqual(KEY_LIMIT_MS + ESC_WAIT_MS);
  expect(bytes).toBeLessThanOrEqual(FRAME_BYTES);
  expect(rate).toBeGreaterThan((RUNS * 1_000) / EVENT_MS / 2);

  screen.type('\u0003\u0003');
  expect(await screen.ended).toBe(0);
  await screen.shows('Count to 9010');
  expect(screen.text().match(/continues elsewhere: Count to .* capstan runs follow/g)).toHaveLength(
    RUNS,
  );
});
