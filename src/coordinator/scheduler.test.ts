import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Step } from './plan/plan.ts';
import { type Ending, type PoolOptions, runPool } from './scheduler.ts';

const step = (id: string, ...depends_on: string[]): Step => ({
  id,
  description: id,
  depends_on,
  writes: [],
  needs: [],
});

const pool = (changes: Partial<PoolOptions>) => {
  const skipped: string[] = [];
  const order: string[] = [];
  const options: PoolOptions = {
    steps: [],
    ended: new Map(),
    concurrency: 4,
    isCancelled: () => false,
    perform: async ({ id }) => {
      order.push(id);
      return 'completed';
    },
    skip: ({ id }, { ending, because }) => skipped.push(`${id} ${ending}: ${because}`),
    ...changes,
  };
  return { skipped, order, done: runPool(options) };
};

describe('runPool', () => {
  it('starts a step the moment all it depends on has completed', async () => {
    const { order, done } = pool({
      steps: [step('d', 'b', 'c'), step('b', 'a'), step('c', 'a'), step('a')],
    });
    await done;
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not delay a step for one that it does not depend on', async () => {
    const finished: string[] = [];
    let hasNext = () => {};
    const next = new Promise<void>((resolve) => {
      hasNext = resolve;
    });
    const { done } = pool({
      steps: [step('slow'), step('quick'), step('next', 'quick')],
      perform: async ({ id }) => {
        if (id === 'slow') await next;
        finished.push(id);
        if (id === 'next') hasNext();
        return 'completed';
      },
    });
    await done;
    expect(finished).toEqual(['quick', 'next', 'slow']);
  });

  it('never has more steps at work than the limit', async () => {
    let atWork = 0;
    let most = 0;
    const { done } = pool({
      steps: Array.from({ length: 20 }, (_, index) => step(`s${index}`)),
      concurrency: 3,
      perform: async () => {
        most = Math.max(most, ++atWork);
        await sleep(1);
        atWork -= 1;
        return 'completed';
      },
    });
    await done;
    expect(most).toBe(3);
  });

  it('skips everything after a failure and names what did not complete', async () => {
    const { skipped, done } = pool({
      steps: [step('a'), step('b', 'a'), step('c', 'b'), step('other')],
      perform: async ({ id }) => (id === 'a' ? 'failed' : 'completed'),
    });
    expect(Object.fromEntries(await done)).toEqual({
      a: 'failed',
      b: 'skipped',
      c: 'skipped',
      other: 'completed',
    });
    expect(skipped).toEqual(['b skipped: "a" did not complete', 'c skipped: "b" did not complete']);
  });

  it('skips a step whose need failed in an earlier phase', async () => {
    const { skipped, order, done } = pool({
      steps: [step('late', 'early')],
      ended: new Map<string, Ending>([['early', 'failed']]),
    });
    await done;
    expect(order).toEqual([]);
    expect(skipped).toHaveLength(1);
  });

  it('starts nothing more once the run is cancelled', async () => {
    const controller = new AbortController();
    const { skipped, order, done } = pool({
      steps: [step('a'), step('b'), step('c', 'a')],
      concurrency: 1,
      isCancelled: () => controller.signal.aborted,
      perform: async () => {
        controller.abort('cancelled');
        return 'completed';
      },
    });
    expect(order).toEqual([]);
    expect([...(await done).values()]).toEqual(['completed', 'cancelled', 'cancelled']);
    expect(skipped).toHaveLength(2);
  });

  it('lends the slot of a waiting step to another', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const finished: string[] = [];
    const { done } = pool({
      steps: [step('asks'), step('works')],
      concurrency: 1,
      perform: async ({ id }, pause) => {
        if (id === 'asks') await pause(() => answered);
        else answer();
        finished.push(id);
        return 'completed';
      },
    });
    await done;
    expect(finished).toEqual(['works', 'asks']);
  });

  it('reports a stall once every started step waits, and not before', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const events: string[] = [];
    const { done } = pool({
      steps: [step('asks'), step('works')],
      concurrency: 1,
      onStalled: () => {
        events.push(`stalled after ${events.join(' ')}`);
        answer();
      },
      perform: async ({ id }, pause) => {
        if (id === 'asks') await pause(() => answered);
        events.push(id);
        return 'completed';
      },
    });
    await done;
    expect(events).toEqual(['works', 'stalled after works', 'asks']);
  });

  it('releases one slot for two waits of one step, and takes one again after the last', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let atWork = 0;
    let most = 0;
    const { done } = pool({
      steps: [step('asks'), step('a'), step('b'), step('c')],
      concurrency: 1,
      perform: async ({ id }, pause) => {
        if (id === 'asks') await Promise.all([pause(() => answered), pause(() => answered)]);
        atWork += 1;
        most = Math.max(most, atWork);
        await new Promise((resolve) => setImmediate(resolve));
        atWork -= 1;
        if (id === 'b') answer();
        return 'completed';
      },
    });
    await done;
    expect(most).toBe(1);
  });

  it('starts nothing that depends on a parked step, and skips it neither', async () => {
    const { order, skipped, done } = pool({
      steps: [step('asks'), step('after', 'asks'), step('other')],
      perform: async ({ id }) => (id === 'asks' ? 'parked' : 'completed'),
    });
    expect(Object.fromEntries(await done)).toEqual({ other: 'completed' });
    expect({ order: order.includes('after'), skipped }).toEqual({ order: false, skipped: [] });
  });
});
