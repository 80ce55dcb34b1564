import { readFileSync } from 'node:fs';

/** How long the main thread of a process was ready and had no processor, in milliseconds (proc(5), `schedstat`). */
function waitedMs(process: number): number {
  try {
    return Number(readFileSync(`/proc/${process}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    // It has ended, or this is no Linux.
    return 0;
  }
}

/**
 * Starts to count how long these processes wait for a processor, which nothing but a busy machine makes them do. Their waits
 * may overlap: the longest counts.
 */
export function startWaitClock(processes: readonly number[]): () => number {
  const before = processes.map(waitedMs);
  return () => Math.max(0, ...processes.map((id, index) => waitedMs(id) - (before[index] ?? 0)));
}

/** Longer, nothing is left out, however busy the machine is. */
const MAX_FAIR_MS = 10_000;

/**
 * Starts a clock without that time, in milliseconds: on an idle machine, and after ten seconds, it is a clock like any other.
 */
export function startFairClock(processes: readonly number[]): () => number {
  const began = performance.now();
  const waited = startWaitClock(processes);
  return () => {
    const elapsed = performance.now() - began;
    return elapsed > MAX_FAIR_MS ? elapsed : elapsed - waited();
  };
}
