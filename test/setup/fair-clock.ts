import { readFileSync } from 'node:fs';

/** How long the main threads of these processes were ready and had no processor, in milliseconds (proc(5), `schedstat`). */
function waitedMs(processes: readonly number[]): number {
  let waited = 0;
  for (const id of processes) {
    try {
      waited += Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    } catch {
      // It has ended, or this is no Linux.
    }
  }
  return waited;
}

/** Starts to count how long these processes wait for a processor, which nothing but a busy machine makes them do. */
export function startWaitClock(processes: readonly number[]): () => number {
  const before = waitedMs(processes);
  return () => waitedMs(processes) - before;
}

/** Starts a clock without that time, in milliseconds: on an idle machine it is a clock like any other. */
export function startFairClock(processes: readonly number[]): () => number {
  const began = performance.now();
  const waited = startWaitClock(processes);
  return () => performance.now() - began - waited();
}
