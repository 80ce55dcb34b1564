import { openFiles, processTree } from './process-tree.ts';

/** How often is looked, in milliseconds. */
const EVERY_MS = 500;

/**
 * Tells when a program in bubblewrap has closed its stdout: bubblewrap's own two processes keep that open for as long as
 * they live, so the pipe itself never ends. Tells it at the second look, once all that was written before has been read.
 *
 * @param root The outer of the two.
 * @returns What ends the looking.
 */
export function onStdoutLetGo(root: number, act: () => void): () => void {
  let wasLetGo = false;
  const timer = setInterval(() => {
    const isLetGo = isStdoutLetGo(root);
    if (isLetGo && wasLetGo) {
      clearInterval(timer);
      act();
    }
    wasLetGo = isLetGo;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** False where it can't be seen, too. */
function isStdoutLetGo(root: number): boolean {
  const pipe = openFiles(root)?.get('1');
  const inner = [...processTree(root)].filter(({ depth }) => depth > 1);
  const held = inner.map(({ pid }) => openFiles(pid));
  if (pipe === undefined || pipe === '' || held.length === 0) return false;
  return held.every((files) => files !== undefined && ![...files.values()].includes(pipe));
}
