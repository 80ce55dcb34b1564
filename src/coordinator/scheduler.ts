import type { Step } from './plan/plan.ts';

export type Ending = 'completed' | 'failed' | 'skipped' | 'cancelled';

/** The end of a step, or `parked` if it can be resumed. */
export type Outcome = Ending | 'parked';

/** How often a stall is reported again, in milliseconds. */
const STALL_CHECK_MS = 1_000;

/** Releases the concurrency slot while `wait` runs, and takes one again afterwards. */
export type Pause = <T>(wait: () => Promise<T>) => Promise<T>;

export interface PoolOptions {
  readonly steps: readonly Step[];
  readonly ended: ReadonlyMap<string, Ending>;
  /** Maximum number of steps at once. */
  readonly concurrency: number;
  /** Whether the run was cancelled: steps that have not started are skipped. */
  isCancelled(): boolean;
  /** Executes one step. Must not throw: a failure is a value. */
  perform(step: Step, pause: Pause): Promise<Outcome>;
  /** Called for a step that is not started: a dependency did not complete, or the run was cancelled. */
  skip(
    step: Step,
    why: { readonly ending: 'skipped' | 'cancelled'; readonly because: string },
  ): void;
  /** Called when every started step waits for a person, and again each second while that is so. */
  onStalled?(): void;
}

/**
 * Runs steps by their dependencies: each starts as soon as its dependencies have completed, up to the concurrency limit.
 * Resolves with the outcome of every step when all have ended or are parked.
 */
export async function runPool(options: PoolOptions): Promise<ReadonlyMap<string, Ending>> {
  const { steps, concurrency, perform, isCancelled } = options;
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
        reportStall();
      },
      onContinue: () => paused.delete(step),
    });
    const outcome = isCancelled() ? cancel(step) : await perform(step, pause);
    slots.giveBack();
    started.delete(step);
    if (outcome !== 'parked') ended.set(step.id, outcome);
    await startReady();
  };
  const reportStall = (): void => {
    if (paused.size > 0 && paused.size === started.size) options.onStalled?.();
  };
  const cancel = (step: Step): Ending => {
    options.skip(step, { ending: 'cancelled', because: 'the run was cancelled' });
    return 'cancelled';
  };
  const startReady = async (): Promise<void> => {
    skipBlocked();
    const ready = [...waiting].filter((step) => isReady(step, ended));
    for (const step of ready) waiting.delete(step);
    const underWay = ready.map(start);
    reportStall();
    await Promise.all(underWay);
  };
  const skipBlocked = (): void => {
    for (let blocked = nextBlocked(); blocked; blocked = nextBlocked()) {
      const { step, need } = blocked;
      waiting.delete(step);
      ended.set(step.id, 'skipped');
      options.skip(step, { ending: 'skipped', because: `"${need}" did not complete` });
    }
  };
  const nextBlocked = (): { step: Step; need: string } | undefined => {
    for (const step of waiting) {
      const need = step.depends_on.find((id) => (ended.get(id) ?? 'completed') !== 'completed');
      if (need !== undefined) return { step, need };
    }
    return undefined;
  };

  const check = setInterval(reportStall, STALL_CHECK_MS);
  try {
    await startReady();
  } finally {
    clearInterval(check);
  }
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
  return { take, giveBack, pauseOf };

  /** The pause of one step: its slot is released with the first of its waits, and taken again after the last. */
  function pauseOf({
    onPause,
    onContinue,
  }: Readonly<Record<'onPause' | 'onContinue', () => void>>): Pause {
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
          onContinue();
          retaken = take();
        }
        await retaken;
      }
    };
  }
}
