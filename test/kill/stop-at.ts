import { appendFileSync } from 'node:fs';
import type { FailPoint } from '../../src/db/fail-point.ts';

/**
 * Loaded before anything of Capstan (`node --require`). Names in the file of `KILL_POINTS` every fail point that is
 * passed; with `KILL_AT` n, the process ends at the n-th by SIGKILL.
 */
const { KILL_AT, KILL_POINTS } = process.env;

const last = KILL_AT === undefined ? Number.POSITIVE_INFINITY : Number(KILL_AT);
let count = 0;

const stop = (point: FailPoint): void => {
  if (KILL_POINTS !== undefined) appendFileSync(KILL_POINTS, `${count} ${point}\n`);
  if (count >= last) {
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way: nothing more may happen.
    for (;;);
  }
  count += 1;
};

Object.assign(globalThis, { [Symbol.for('capstan.fail-point')]: stop });
