import type { Listener } from '../events/bus.ts';
import { createRunDeadline } from '../coordinator/run-deadline.ts';

export interface SignalWatch {
  /** Aborted with `cancelled` by the first Ctrl-C or SIGTERM, with `deadline` when the time is up. */
  readonly signal: AbortSignal;
  received(): 'SIGINT' | 'SIGTERM' | undefined;
  isLate(): boolean;
  /** To be told of the run's events: the time for answers does not count. */
  readonly listener: Listener;
  stop(): void;
}

/**
 * Turns Ctrl-C, SIGTERM and the run's deadline into one abort signal. The second signal ends the process at once, after
 * `killNow` has ended what it started.
 */
export function watchSignals(timeoutMs: number | undefined, killNow: () => void): SignalWatch {
  const controller = new AbortController();
  let received: 'SIGINT' | 'SIGTERM' | undefined;

  const onSignal = (name: 'SIGINT' | 'SIGTERM') => {
    if (received) {
      killNow();
      process.exit(name === 'SIGINT' ? 130 : 143);
    }
    received = name;
    controller.abort('cancelled');
  };
  const onInterrupt = () => onSignal('SIGINT');
  const onTerminate = () => onSignal('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  const deadline = createRunDeadline(timeoutMs, () => controller.abort('deadline'));

  return {
    signal: controller.signal,
    received: () => received,
    isLate: () => controller.signal.reason === 'deadline',
    listener: deadline.listener,
    stop() {
      deadline.stop();
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
