import { AppError } from '../../contract/errors.ts';
import { deferred } from './deferred.ts';

/** Signals that park a run. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** 128 plus the number of the signal. */
export const exitCodeOfSignal: Readonly<Record<StopSignal, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/**
 * Calls `onSignal` with 1 for the first signal and 2 for the second. The third ends this process and all its children,
 * after `onLast`, which can't wait for anything.
 */
export function watchSignals(onSignal: (count: number) => void, onLast: () => void = () => {}) {
  let received: StopSignal | undefined;
  let count = 0;
  const names = Object.keys(exitCodeOfSignal) as StopSignal[];
  const listeners = names.map((name) => {
    const listener = () => {
      received ??= name;
      count += 1;
      if (count > 2) endProcess(exitCodeOfSignal[received], onLast);
      onSignal(count);
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    /** The first signal that was received. */
    received: (): StopSignal | undefined => received,
    stop(): void {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}

function endProcess(exitCode: number, onLast: () => void): never {
  try {
    onLast();
  } finally {
    process.exit(exitCode);
  }
}

/** A signal ended the command before there was anything to resume. */
export class SignalReceived extends AppError<'CANCELLED'> {
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super('CANCELLED', { what: 'The command' });
    this.signal = signal;
  }
}

/** Watches for signals while there is nothing to park yet. */
export function endOnSignal() {
  const { promise, reject } = deferred<never>();
  promise.catch(() => undefined);
  const watch = watchSignals(() => {
    const signal = watch.received();
    if (signal) reject(new SignalReceived(signal));
  });
  /** Waits for the work. @throws SignalReceived if a signal comes first. */
  const orSignal = <T>(work: T | Promise<T>): Promise<T> => Promise.race([promise, work]);
  return { orSignal, stop: watch.stop };
}

/** An abort signal that is aborted by the first process signal, for work that can't be resumed. */
export function abortOnSignal(onSecond: () => void = () => {}) {
  const controller = new AbortController();
  const watch = watchSignals((count) => {
    controller.abort('cancelled');
    if (count > 1) onSecond();
  });
  return { ...watch, signal: controller.signal };
}
