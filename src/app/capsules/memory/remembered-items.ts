import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { capsuleHome } from '../../../config/files/agent-folders.ts';
import { AppError } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import {
  MAX_TEXT_LENGTH,
  type Memory,
  openMemory,
  type StoredMemory,
} from '../../../memory/open-memory.ts';
import type { AppContext } from '../../context/open-context.ts';
import { type CapsuleOptions, findCapsule, loadCapsules } from '../load-capsules.ts';

/** One thing that a capsule remembers. */
export interface RememberedItem {
  readonly capsuleId: string;
  /** Unique in this capsule's memory. */
  readonly id: number;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The only folder that it is recalled in; null: in all. */
  readonly workspace: string | null;
  /** The run that wrote it; null if that is not known. */
  readonly runId: string | null;
  /** Written after its run read content that the user did not name; it can't be recalled in all workspaces. */
  readonly isUntrusted: boolean;
}

export interface EditOptions extends CapsuleOptions {
  /** The new text, at most 4,000 characters. It counts as the user's own. */
  readonly text?: string | undefined;
  /** `here`: only in the workspace of the settings; `all`: in all workspaces. */
  readonly recallIn?: 'here' | 'all' | undefined;
  /** Confirms a text that came from untrusted content. */
  readonly isConfirmed?: boolean | undefined;
}

/** See `MemoryApi.list`. */
export async function listMemory(
  context: AppContext,
  capsuleId?: string,
  options: CapsuleOptions = {},
): Promise<readonly RememberedItem[]> {
  const loaded = await loadCapsules(context, options);
  const capsules = capsuleId === undefined ? loaded.capsules : [findCapsule(loaded, capsuleId)];
  const { places, workspace } = loaded.loaded.settings;
  return capsules.flatMap((capsule) => {
    const itemsOf = (memory: Memory) => memory.list().map((item) => itemOf(capsule.id, item));
    return withMemory(capsuleHome(places, workspace, capsule), itemsOf) ?? [];
  });
}

/** See `MemoryApi.edit`. */
export async function editMemory(
  context: AppContext,
  capsuleId: string,
  id: number,
  { text, recallIn, isConfirmed, ...options }: EditOptions,
): Promise<RememberedItem> {
  if (text !== undefined) assertText(text);
  const { home, workspace } = await homeOf(context, capsuleId, options);
  const changed = withMemory(home, (memory) => {
    const item = memory.find(id) ?? unknown(capsuleId, id);
    const staysUntrusted = item.is_untrusted === 1 && text === undefined && !isConfirmed;
    if (recallIn === 'all' && staysUntrusted)
      throw new AppError('MEMORY_UNTRUSTED', { capsuleId, id, text: item.text });
    const place = recallIn && { workspace: recallIn === 'all' ? null : workspace };
    memory.change(id, { text: text?.trim(), isConfirmed, ...place });
    return itemOf(capsuleId, memory.find(id) ?? item);
  });
  return changed ?? unknown(capsuleId, id);
}

/** See `MemoryApi.forget`. */
export async function forgetMemory(
  context: AppContext,
  capsuleId: string,
  ids: readonly number[],
  options: CapsuleOptions = {},
): Promise<readonly RememberedItem[]> {
  const { home } = await homeOf(context, capsuleId, options);
  const forgotten = withMemory(home, (memory) => {
    const items = ids.map((id) => memory.find(id) ?? unknown(capsuleId, id));
    for (const { id } of items) memory.forget(id);
    return items.map((item) => itemOf(capsuleId, item));
  });
  return forgotten ?? unknown(capsuleId, ids[0] ?? 0);
}

async function homeOf(context: AppContext, capsuleId: string, options: CapsuleOptions) {
  const loaded = await loadCapsules(context, options);
  const { places, workspace } = loaded.loaded.settings;
  return { home: capsuleHome(places, workspace, findCapsule(loaded, capsuleId)), workspace };
}

/** Undefined if the capsule has no memory yet: none is made. */
function withMemory<T>(home: string, act: (memory: Memory) => T): T | undefined {
  const path = join(home, 'memory.db');
  if (!existsSync(path)) return undefined;
  const memory = openMemory(path);
  try {
    return act(memory);
  } finally {
    memory.close();
  }
}

const itemOf = (capsuleId: string, item: StoredMemory): RememberedItem => ({
  capsuleId,
  id: item.id,
  text: item.text,
  createdAt: item.created_at,
  workspace: item.workspace,
  runId: item.run_id,
  isUntrusted: item.is_untrusted === 1,
});

function unknown(capsuleId: string, id: number): never {
  throw new AppError('MEMORY_UNKNOWN', { capsuleId, id });
}

function assertText(text: string): void {
  if (text.trim() === '') throw usage('text: it is empty. To delete an item, forget it.');
  if (text.length > MAX_TEXT_LENGTH)
    throw usage(`text: it has ${text.length} characters; 4,000 are allowed.`);
}
