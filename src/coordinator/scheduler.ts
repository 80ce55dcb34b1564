import type { Step } from './plan.ts';

export type Ending = 'completed' | 'failed' | 'skipped' | 'cancelled';

/** What carrying out a step comes to: an ending, or `parked` where it waits for a person who is not there. */
export type Outcome = Ending | 'parked';

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
  perform(step: Step, pause: Pause): Promise<Outcome>;
  /** Told of a step that is not started: what it waits for did not complete, or the run was cancelled. */
  skip(
    step: Step,
    why: { readonly ending: 'skipped' | 'cancelled'; readonly because: string },
  ): void;
  /** Told when every step that was started waits, so that nothing can go on by itself. */
  onStalled?(): void;
}

/**
 * Runs steps as their results flow: each starts the moment all it depends on has completed, up to the limit at once.
 * Resolves with how every step ended, when all of them have or are parked.
 */
export async function runPool(options: PoolOptions): Promise<ReadonlyMap<string, Ending>> {
  const { steps, concurrency, perform, signal } = options;
  const ended = new Map(options.ended);
  const waiting = new Set(steps);
  const slots = createSlots(concurrency);
  const started = new Set<Step>();
  const paused = new Set<Step>();

  const start = async (step: Step): Promise<void> => {
    started.add(step);
    await slots.take();
    const pause = slots.pauseOf({
      onPause: () => {
        paused.add(step);
        tellStalled();
      },
      onGoOn: () => paused.delete(step),
    });
    const outcome = signal.aborted ? cancel(step) : await perform(step, pause);
    slots.giveBack();
    started.delete(step);
    if (outcome !== 'parked') ended.set(step.id, outcome);
    await startReady();
  };
  const tellStalled = (): void => {
    if (paused.size > 0 && paused.size === started.size) options.onStalled?.();
  };
  const cancel = (step: Step): Ending => {
    options.skip(step, { ending: 'cancelled', because: 'the run was cancelled' });
    return 'cancelled';
  };
  const startReady = async (): Promise<void> => {
    skipHopeless();
    const ready = [...waiting].filter((step) => isReady(step, ended));
    for (const step of ready) waiting.delete(step);
    const underWay = ready.map(start);
    tellStalled();
    await Promise.all(underWay);
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
  return {
    take,
    giveBack,
    pauseOf: (listener: PauseListener) => createPause({ take, giveBack }, listener),
  };
}

interface PauseListener {
  onPause(): void;
  onGoOn(): void;
}

interface Slot {
  take(): Promise<void>;
  giveBack(): void;
}

/** The pause of one step: its slot goes back with the first of its waits, and is taken again after the last. */
function createPause({ take, giveBack }: Slot, { onPause, onGoOn }: PauseListener): Pause {
  let waits = 0;
  let retaken: Promise<void> = Promise.resolve();
  return async (wait) => {
    await retaken;
    waits += 1;
    if (waits === 1) {
      giveBack();
      onPause();
    }
    try {
      return await wait();
    } finally {
      waits -= 1;
      if (waits === 0) {
        onGoOn();
        retaken = take();
      }
      await retaken;
    }
  };
}
