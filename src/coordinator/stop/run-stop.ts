/** Why a run is stopped: permanently (`cancelled`, `deadline`), or to be resumed later (`interrupted`). */
export type StopReason = 'cancelled' | 'deadline' | 'interrupted';

export interface RunStop {
  /** Aborted with a `StopReason`: capsules, tools and model calls of the run end gracefully. */
  readonly signal: AbortSignal;
  /** Aborted after `signal`: capsules get no grace. */
  readonly killSignal: AbortSignal;
  /**
   * Aborted with the reason of the parked run: `approval` when only a person could continue it and nobody can answer,
   * `provider` when the provider is out of service, `interrupted`.
   */
  readonly parking: AbortController;
  /** The first reason counts. */
  stop(reason: StopReason): void;
  /** Ends the grace period of `stop`. */
  kill(): void;
}

/** A stop of one run that nobody has used yet. */
export function createRunStop(): RunStop {
  const stopping = new AbortController();
  const killing = new AbortController();
  const parking = new AbortController();
  return {
    signal: stopping.signal,
    killSignal: killing.signal,
    parking,
    stop(reason) {
      stopping.abort(reason);
      if (stopping.signal.reason === 'interrupted') parking.abort('interrupted');
    },
    kill: () => killing.abort(),
  };
}

/** Signals of a caller that stop a run. */
export interface StopSignals {
  /** Cancels; capsules get time to end. */
  readonly signal: AbortSignal;
  /** Aborted after that: capsules get no time. */
  readonly killSignal?: AbortSignal | undefined;
}

/** Runs `work` with a stop that follows these signals until it ends. */
export async function withStopSignals<T>(
  { signal, killSignal }: StopSignals,
  work: (stop: RunStop) => Promise<T>,
): Promise<T> {
  const stop = createRunStop();
  const cancel = () => stop.stop('cancelled');
  signal.addEventListener('abort', cancel);
  killSignal?.addEventListener('abort', stop.kill);
  try {
    if (signal.aborted) cancel();
    return await work(stop);
  } finally {
    signal.removeEventListener('abort', cancel);
    killSignal?.removeEventListener('abort', stop.kill);
  }
}

/** Whether the run was stopped so that it can be resumed. */
export const isInterrupted = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason === 'interrupted';

/** Why the run was ended permanently; undefined if it continues or parks. */
export const endedBy = (signal: AbortSignal): 'cancelled' | 'deadline' | undefined =>
  signal.aborted && !isInterrupted(signal) ? signal.reason : undefined;
