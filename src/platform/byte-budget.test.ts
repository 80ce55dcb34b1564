import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { reserveBytes } from './byte-budget.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

/** Calls of one attempt, each with a result of 1 MiB; `release` of each that has room. */
function callsOf(attempt: object, count: number, signal = never) {
  const leaves: (() => void)[] = [];
  for (let call = 0; call < count; call += 1)
    void Promise.resolve(reserveBytes({ attempt, bytes: MIB, signal })).then((release) =>
      leaves.push(release),
    );
  return leaves;
}

async function leaveAll(...all: (() => void)[][]): Promise<void> {
  while (all.some((leaves) => leaves.length > 0)) {
    for (const leaves of all) for (const release of leaves.splice(0)) release();
    await nextTurn();
    await nextTurn();
  }
}

describe('room for results', () => {
  it('is 4 MiB for an attempt: the fifth result of 1 MiB waits until one is released', async () => {
    const leaves = callsOf({}, 6);
    await nextTurn();
    expect(leaves).toHaveLength(4);
    leaves.shift()?.();
    await nextTurn();
    await nextTurn();
    expect(leaves).toHaveLength(4);
    await leaveAll(leaves);
  });

  it('is 16 MiB for all attempts together, and one that waits for its own does not block the others', async () => {
    const attempts = [1, 2, 3, 4, 5].map(() => callsOf({}, 5));
    await nextTurn();
    expect(attempts.map((leaves) => leaves.length)).toEqual([4, 4, 4, 4, 0]);
    for (const release of attempts[0]?.splice(0) ?? []) release();
    await nextTurn();
    await nextTurn();
    expect(attempts.flat()).toHaveLength(16);
    expect(attempts[4]?.length).toBeGreaterThan(0);
    await leaveAll(...attempts);
  });

  it('is not waited for by a call that was cancelled', async () => {
    const attempt = {};
    const first = callsOf(attempt, 4);
    const cancel = new AbortController();
    const cancelled = callsOf(attempt, 3, cancel.signal);
    await nextTurn();
    expect(cancelled).toHaveLength(0);
    cancel.abort();
    await nextTurn();
    expect(cancelled).toHaveLength(3);
    await leaveAll(first, cancelled);
  });

  it('is used exclusively by a result that is larger than all of it', async () => {
    const release = await reserveBytes({ attempt: {}, bytes: 100 * MIB, signal: never });
    const others = callsOf({}, 1);
    await nextTurn();
    expect(others).toHaveLength(0);
    release();
    await nextTurn();
    await nextTurn();
    expect(others).toHaveLength(1);
    await leaveAll(others);
  });

  it('is granted in order: a later call of the attempt does not overtake one that needs all of it', async () => {
    const attempt = {};
    const first = callsOf(attempt, 2);
    await nextTurn();
    const order: string[] = [];
    const all = Promise.resolve(reserveBytes({ attempt, bytes: 4 * MIB, signal: never }));
    const small = Promise.resolve(reserveBytes({ attempt, bytes: MIB, signal: never }));
    void all.then(() => order.push('all'));
    void small.then(() => order.push('small'));
    const ofAnother = callsOf({}, 1);
    await nextTurn();
    expect(ofAnother).toHaveLength(1);
    first.shift()?.();
    await nextTurn();
    await nextTurn();
    expect(order).toEqual([]);
    first.shift()?.();
    (await all)();
    (await small)();
    expect(order).toEqual(['all', 'small']);
    await leaveAll(ofAnother);
  });
});
