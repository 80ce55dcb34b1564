import type { Launched } from './launch.ts';
import { openFiles, processTree } from './process-tree.ts';

/** Polling interval in milliseconds. */
const EVERY_MS = 500;

/**
 * Closes the stdout of a program in bubblewrap when the program has closed it: bubblewrap's own two processes keep it open
 * for as long as they live, so the pipe itself never ends. Acts at the second poll, when all earlier output has been read.
 *
 * @param child Its process is the outer one of the two.
 */
export function closeStdoutWithProgram({ pid, stdout, exited }: Launched): void {
  let wasLetGo = false;
  const timer = setInterval(() => {
    const hasClosed = hasClosedStdout(pid);
    if (hasClosed && wasLetGo) stdout.destroy();
    wasLetGo = hasClosed;
  }, EVERY_MS);
  timer.unref();
  void exited.then(() => clearInterval(timer));
}

/** Also false if that can't be determined. */
function hasClosedStdout(root: number): boolean {
  const pipe = openFiles(root)?.get('1');
  const inner = [...processTree(root)].filter(({ depth }) => depth > 1);
  const held = inner.map(({ pid }) => openFiles(pid));
  if (pipe === undefined || pipe === '' || held.length === 0) return false;
  return held.every((files) => files !== undefined && ![...files.values()].includes(pipe));
}
