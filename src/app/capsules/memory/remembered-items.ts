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
import { findCapsule } from '../find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from '../load-capsules.ts';

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
    const open = openIfAny(capsuleHome(places, workspace, capsule));
    return open === undefined
      ? []
      : used(open, (memory) => memory.list().map((item) => itemOf(capsule.id, item)));
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
  const { memory, workspace } = await memoryOf(context, capsuleId, options);
  return used(memory ?? unknown(capsuleId, id), (open) => {
    const item = open.find(id) ?? unknown(capsuleId, id);
    const staysUntrusted = item.is_untrusted === 1 && text === undefined && !isConfirmed;
    if (recallIn === 'all' && staysUntrusted)
      throw new AppError('MEMORY_UNTRUSTED', { capsuleId, id, text: item.text });
    const place = recallIn && { workspace: recallIn === 'all' ? null : workspace };
    open.change(id, { text: text?.trim(), isConfirmed, ...place });
    return itemOf(capsuleId, open.find(id) ?? item);
  });
}

/** See `MemoryApi.forget`. */
export async function forgetMemory(
  context: AppContext,
  capsuleId: string,
  ids: readonly number[],
  options: CapsuleOptions = {},
): Promise<readonly RememberedItem[]> {
  const { memory } = await memoryOf(context, capsuleId, options);
  return used(memory ?? unknown(capsuleId, ids[0] ?? 0), (open) => {
    const items = ids.map((id) => open.find(id) ?? unknown(capsuleId, id));
    for (const { id } of items) open.forget(id);
    return items.map((item) => itemOf(capsuleId, item));
  });
}

async function memoryOf(context: AppContext, capsuleId: string, options: CapsuleOptions) {
  const loaded = await loadCapsules(context, options);
  const { places, workspace } = loaded.loaded.settings;
  const home = capsuleHome(places, workspace, findCapsule(loaded, capsuleId));
  return { memory: openIfAny(home), workspace };
}

/** Undefined if the capsule has no memory yet: none is made. */
function openIfAny(home: string): Memory | undefined {
  const path = join(home, 'memory.db');
  return existsSync(path) ? openMemory(path) : undefined;
}

function used<T>(memory: Memory, act: (memory: Memory) => T): T {
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

/** @throws AppError `USAGE`. */
function assertText(text: string): void {
  const length = text.trim() === '' ? 0 : text.length;
  if (length > 0 && length <= MAX_TEXT_LENGTH) return;
  const problem =
    length === 0
      ? 'text: it is empty. To delete an item, forget it.'
      : `text: it has ${length} characters; 4,000 are allowed.`;
  throw usage(problem);
}
