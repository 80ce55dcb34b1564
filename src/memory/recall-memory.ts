import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMemory, type Recalled, type RecallOptions } from './open-memory.ts';

/** Of a capsule's memory, this many tokens go into its request. */
export const MEMORY_TOKENS = 1_000;

/** What a capsule remembers that fits a task; `home` is where its memory lies. Nothing is made where it has none. */
export function recallMemory(
  home: string,
  task: string,
  { workspace, maxTokens = MEMORY_TOKENS }: Partial<RecallOptions> & { workspace: string },
): Recalled {
  const path = join(home, 'memory.db');
  if (!existsSync(path)) return { items: [], leftOut: 0 };
  const memory = openMemory(path);
  try {
    return memory.recall(task, { workspace, maxTokens });
  } finally {
    memory.close();
  }
}
