import type { AppContext } from '../app-context.ts';
import type { CapsuleOptions } from '../capsules/load-capsules.ts';
import type { EditOptions, RememberedItem } from './remembered-items.ts';

/** `capstan.memory`: what capsules remember. All functions throw AppError `SETTINGS_INVALID`, `DATABASE_UNREADABLE`. */
export interface MemoryApi {
  /** Newest first, of one capsule or of all. @throws AppError `CAPSULE_UNKNOWN`. */
  list(capsuleId?: string, options?: CapsuleOptions): Promise<readonly RememberedItem[]>;
  /**
   * Changes one item.
   *
   * @throws AppError `CAPSULE_UNKNOWN`, `MEMORY_UNKNOWN`, `MEMORY_UNTRUSTED`; `USAGE` for an empty or too long text.
   */
  edit(capsuleId: string, id: number, options: EditOptions): Promise<RememberedItem>;
  /**
   * Deletes items; their bytes in `memory.db` are overwritten. The record of the run that wrote them stays.
   *
   * @throws AppError `CAPSULE_UNKNOWN`; `MEMORY_UNKNOWN` if one does not exist: nothing is deleted then.
   */
  forget(
    capsuleId: string,
    ids: readonly number[],
    options?: CapsuleOptions,
  ): Promise<readonly RememberedItem[]>;
}

export const memoryApi = (context: AppContext): MemoryApi => ({
  async list(capsuleId, options = {}) {
    const { listMemory } = await import('./remembered-items.ts');
    return listMemory(context, capsuleId, options);
  },
  async edit(capsuleId, id, options) {
    const { editMemory } = await import('./remembered-items.ts');
    return editMemory(context, { capsuleId, id }, options);
  },
  async forget(capsuleId, ids, options = {}) {
    const { forgetMemory } = await import('./remembered-items.ts');
    return forgetMemory(context, { capsuleId, ids }, options);
  },
});
