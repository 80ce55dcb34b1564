import { openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';

/**
 * Keeps bytes in a file without a name, so that nobody can exchange them, and opens it as often as it is asked (Linux only).
 *
 * @returns What gives a new descriptor at the beginning of the bytes; whoever asks for it closes it.
 */
export function namelessFile(bytes: Buffer): () => number {
  const folder = makeTemporaryFolder('filter');
  const path = join(folder, 'filter');
  try {
    writeFileSync(path, bytes, { mode: 0o400 });
    const kept = openSync(path, 'r');
    return () => openSync(`/proc/self/fd/${kept}`, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
