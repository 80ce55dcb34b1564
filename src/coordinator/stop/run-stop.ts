/** Why a run is stopped: permanently (`cancelled`, `deadline`), or to be resumed later (`interrupted`). */
export type StopReason = 'cancelled' | 'deadline' | 'interrupted';

/** Stops one run. */
export type RunStop = ReturnType<typeof createRunStop>;

/**
 * @param cancelling Aborting it cancels the run.
 * @param killNow Aborting it afterwards ends the grace period of capsules.
 */
export function createRunStop(cancelling?: AbortSignal, killNow?: AbortSignal | undefined) {
  const stopping = new AbortController();
  const killing = new AbortController();
  const parking = new AbortController();
  const run = {
    /** Aborted with a `StopReason`: capsules, tools and model calls of the run end gracefully. */
    signal: stopping.signal,
    /** Aborted after `signal`: capsules get no grace. */
    killSignal: killing.signal,
    /**
     * Aborted with the reason of the parked run: `approval` when only a person could continue it and nobody can answer,
     * `provider` when the provider is out of service, `interrupted`.
     */
    parking,
    /** The first reason counts. */
    stop(reason: StopReason): void {
      stopping.abort(reason);
      if (stopping.signal.reason === 'interrupted') parking.abort('interrupted');
    },
    /** Ends the grace period of `stop`. */
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
  signal.aborted && !isInterrupted(signal)
    ? signal.reason === 'deadline'
      ? 'deadline'
      : 'cancelled'
    : undefined;
