/** Why a run is stopped: permanently (`cancelled`, `deadline`), or to be resumed later (`interrupted`). */
export type StopReason = 'cancelled' | 'deadline' | 'interrupted';

/** Stops one run. */
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

/**
 * @param cancelling Aborting it cancels the run.
 * @param killNow Aborting it afterwards ends the grace period of capsules.
 */
export function createRunStop(cancelling?: AbortSignal, killNow?: AbortSignal): RunStop {
  const stopping = new AbortController();
  const killing = new AbortController();
  const parking = new AbortController();
  const run: RunStop = {
    signal: stopping.signal,
    killSignal: killing.signal,
    parking,
    stop(reason) {
      stopping.abort(reason);
      if (stopping.signal.reason === 'interrupted') parking.abort('interrupted');
    },
    kill: () => killing.abort(),
  };
  const cancel = () => run.stop('cancelled');
  cancelling?.addEventListener('abort', cancel, { once: true });
  if (cancelling?.aborted) cancel();
  killNow?.addEventListener('abort', run.kill, { once: true });
  return run;
}

/** Whether the run was stopped so that it can be resumed. */
export const isInterrupted = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason === 'interrupted';

/** Why the run was ended permanently; undefined if it continues or parks. */
export const endedBy = (signal: AbortSignal): 'cancelled' | 'deadline' | undefined =>
  signal.aborted && !isInterrupted(signal) ? signal.reason : undefined;
