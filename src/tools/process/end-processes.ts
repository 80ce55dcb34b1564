const liveGroups = new Set<number>();
let endsOnExit = false;

/** Registers a process group, which is killed if this process exits before the returned function is called. */
export function holdGroup(pid: number): () => void {
  liveGroups.add(pid);
  if (!endsOnExit) process.once('exit', killLiveGroups);
  endsOnExit = true;
  return () => liveGroups.delete(pid);
}

function killLiveGroups(): void {
  for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
}

/** Signals a process group, if it still exists. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: all its processes have ended.
  }
}
