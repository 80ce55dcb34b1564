import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryItem } from '../contract/protocol.ts';
import { openMemory } from './open-memory.ts';

/** Of a capsule's memory, this many tokens go into its request. */
export const MEMORY_TOKENS = 1_000;

/** What a capsule remembers that fits a task; `home` is where its memory lies. Nothing is made where it has none. */
export function recallMemory(home: string, task: string, maxTokens = MEMORY_TOKENS): MemoryItem[] {
  const path = join(home, 'memory.db');
  if (!existsSync(path)) return [];
  const memory = openMemory(path);
  try {
    return memory.recall(task, { maxTokens });
  } finally {
    memory.close();
  }
}
