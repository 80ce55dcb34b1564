import { openFiles, processTree } from './process-tree.ts';

/** Polling interval in milliseconds. */
const EVERY_MS = 500;

/**
 * Calls back when a program in bubblewrap has closed its stdout: bubblewrap's own two processes keep it open for as long as
 * they live, so the pipe itself never ends. Calls back at the second poll, when all earlier output has been read.
 *
 * @param root The outer one of the two processes.
 * @returns A function that stops the polling.
 */
export function onStdoutClosed(root: number, act: () => void): () => void {
  let wasLetGo = false;
  const timer = setInterval(() => {
    const hasClosed = hasClosedStdout(root);
    if (hasClosed && wasLetGo) {
      clearInterval(timer);
      act();
    }
    wasLetGo = hasClosed;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Also false if that can't be determined. */
function hasClosedStdout(root: number): boolean {
  const pipe = openFiles(root)?.get('1');
  const inner = [...processTree(root)].filter(({ depth }) => depth > 1);
  const held = inner.map(({ pid }) => openFiles(pid));
  if (pipe === undefined || pipe === '' || held.length === 0) return false;
  return held.every((files) => files !== undefined && ![...files.values()].includes(pipe));
}
