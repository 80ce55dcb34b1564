import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMemory, type Recalled, type RecallOptions } from './open-memory.ts';

/** Maximum tokens of memory in a request. */
export const MEMORY_TOKENS = 1_000;

/** The memories of a capsule that fit a task; `home` is the folder of its memory, which is not created if missing. */
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
