import { appendFileSync, writeSync } from 'node:fs';
import type { FailPoint } from '../../src/db/fail-point.ts';
import type { Stopped } from './program.ts';

/**
 * Loaded before anything of Capstan (`node --require`). Names in the file of `KILL_POINTS` every fail point that is
 * passed; with `KILL_AT` n, the process ends at the n-th by SIGKILL. With `STOP_FROM` n it says so and stops at the n-th,
 * and at every `STOP_EVERY`-th after it, until it gets SIGCONT.
 */
const { KILL_AT, KILL_POINTS, STOP_FROM, STOP_EVERY } = process.env;

const last = KILL_AT === undefined ? Number.POSITIVE_INFINITY : Number(KILL_AT);
const first = STOP_FROM === undefined ? Number.POSITIVE_INFINITY : Number(STOP_FROM);
let count = 0;

const stop = (point: FailPoint): void => {
  if (KILL_POINTS !== undefined) appendFileSync(KILL_POINTS, `${count} ${point}\n`);
  if (count >= last) {
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way: nothing more may happen.
    for (;;);
  }
  if (count >= first && (count - first) % Number(STOP_EVERY) === 0) {
    writeSync(1, `${JSON.stringify({ type: 'stopped', point: count } satisfies Stopped)}\n`);
    process.kill(process.pid, 'SIGSTOP');
  }
  count += 1;
};

Object.assign(globalThis, { [Symbol.for('capstan.fail-point')]: stop });
