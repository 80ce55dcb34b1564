import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the names in a folder durable: files that were created, renamed or removed in it. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
