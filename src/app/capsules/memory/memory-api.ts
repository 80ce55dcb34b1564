import { lazyApi } from '../../calls/lazy-api.ts';
import type { CapsuleOptions } from '../load-capsules.ts';
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

export const memoryApi = lazyApi<MemoryApi>({
  list: async () => (await import('./remembered-items.ts')).listMemory,
  edit: async () => (await import('./remembered-items.ts')).editMemory,
  forget: async () => (await import('./remembered-items.ts')).forgetMemory,
});
