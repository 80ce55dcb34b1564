import type { Step } from './plan.ts';

export type Ending = 'completed' | 'failed' | 'skipped' | 'cancelled';

/** Hands the concurrency slot back while `wait` takes its time, and takes one again after it. */
export type Pause = <T>(wait: () => Promise<T>) => Promise<T>;

export interface PoolOptions {
  readonly steps: readonly Step[];
  /** How earlier steps of the run ended. */
  readonly ended: ReadonlyMap<string, Ending>;
  /** Steps at work at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Carries out one step. Must not throw: an ending is a value. */
  perform(step: Step, pause: Pause): Promise<Ending>;
  /** Told of a step that is not started: what it waits for did not complete, or the run was cancelled. */
  skip(
    step: Step,
    why: { readonly ending: 'skipped' | 'cancelled'; readonly because: string },
  ): void;
}

/**
 * Runs steps as their results flow: each starts the moment all it depends on has completed, up to the limit at once.
 * Resolves with how every step ended, when all of them have.
 */
export async function runPool(options: PoolOptions): Promise<ReadonlyMap<string, Ending>> {
  const { steps, concurrency, perform, signal } = options;
  const ended = new Map(options.ended);
  const waiting = new Set(steps);
  const slots = createSlots(concurrency);

  const start = async (step: Step): Promise<void> => {
    await slots.take();
    const ending = signal.aborted ? cancel(step) : await perform(step, slots.pause);
    slots.giveBack();
    ended.set(step.id, ending);
    await startReady();
  };
  const cancel = (step: Step): Ending => {
    options.skip(step, { ending: 'cancelled', because: 'the run was cancelled' });
    return 'cancelled';
  };
  const startReady = async (): Promise<void> => {
    skipHopeless();
    const ready = [...waiting].filter((step) => isReady(step, ended));
    for (const step of ready) waiting.delete(step);
    await Promise.all(ready.map(start));
  };
  const skipHopeless = (): void => {
    for (let hopeless = nextHopeless(); hopeless; hopeless = nextHopeless()) {
      const { step, need } = hopeless;
      waiting.delete(step);
      ended.set(step.id, 'skipped');
      options.skip(step, { ending: 'skipped', because: `"${need}" did not complete` });
    }
  };
  const nextHopeless = (): { step: Step; need: string } | undefined => {
    for (const step of waiting) {
      const need = step.depends_on.find((id) => (ended.get(id) ?? 'completed') !== 'completed');
      if (need !== undefined) return { step, need };
    }
    return undefined;
  };

  await startReady();
  return ended;
}

const isReady = ({ depends_on }: Step, ended: ReadonlyMap<string, Ending>): boolean =>
  depends_on.every((need) => ended.get(need) === 'completed');

function createSlots(count: number) {
  let free = count;
  const queue: (() => void)[] = [];
  const take = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => queue.push(resolve));
  };
  const giveBack = (): void => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  const pause: Pause = async (wait) => {
    giveBack();
    try {
      return await wait();
    } finally {
      await take();
    }
  };
  return { take, giveBack, pause };
}
