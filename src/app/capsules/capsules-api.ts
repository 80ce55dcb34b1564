import type { Capsule } from '../../registry/capsule-store.ts';
import { lazyApi } from '../calls/lazy-api.ts';
import type { AppContext } from '../context/open-context.ts';
import type { CapsuleDraft, CapsuleProposal, ProposeOptions } from './create/propose-capsule.ts';
import type { BrokenCapsule, CapsuleDetails, ListedCapsule } from './list-capsules.ts';
import type { CapsuleOptions } from './load-capsules.ts';
import type {
  ComparedCase,
  ComparedOverlays,
  CompareOptions,
  TryOverlayOptions,
} from './overlay/compare-overlays.ts';
import type { SavedOverlay, SaveOverlayOptions } from './overlay/save-overlay.ts';
import type { CapsulePrompt, OverlayPreview, PromptOptions } from './overlay/show-prompt.ts';
import type { QuarantineOptions, RestoredCapsule } from './share/archive-capsule.ts';
import type {
  ArchivedCapsule,
  ConfirmedImport,
  ExportedCapsule,
  ImportOptions,
} from './share/capsule-archives.ts';
import type { RewrittenEntrypoint } from './share/upgrade-shims.ts';
import type { TestedCapsule, TestOptions } from './test-capsule.ts';
import type { CheckedCapsule, CheckOptions } from './trials/check-capsule.ts';
import type { DevelopEvent, DevelopOptions } from './trials/develop-capsule.ts';

/**
 * `capstan.capsules`: the capsules that ship, the user's own, and those of a trusted project.
 *
 * A parameter `named` is an id, or a capsule's folder, which may be anywhere and need not be trusted. All functions throw
 * AppError `SETTINGS_INVALID`; those that take an id or `named` throw `CAPSULE_UNKNOWN`.
 */
export interface CapsulesApi {
  list(options?: CapsuleOptions): Promise<readonly ListedCapsule[]>;
  /** The user's own that `list` leaves out, and why. */
  broken(options?: CapsuleOptions): Promise<readonly BrokenCapsule[]>;
  /** @throws AppError `MANIFEST_INVALID`, `OVERLAY_INVALID` if it is the user's own and broken. */
  get(id: string, options?: CapsuleOptions): Promise<CapsuleDetails>;
  /** The prompt of one task. @throws AppError `USAGE`, `SKILL_UNKNOWN`, `TEMPLATE_INVALID`. */
  prompt(named: string, options?: PromptOptions): Promise<CapsulePrompt>;

  /** The prompt of one task with an unsaved overlay. @throws AppError `SKILL_UNKNOWN`, `OVERLAY_INVALID`. */
  previewOverlay(id: string, text: string, options?: CapsuleOptions): Promise<OverlayPreview>;

  /**
   * Describes a new capsule, by a model if there is one, and creates nothing.
   *
   * @throws AppError `USAGE` with field `description`, `id`, `skills` or `tools`.
   */
  propose(description: string, options?: ProposeOptions): Promise<CapsuleProposal>;
  /**
   * Creates the proposed capsule.
   *
   * @throws AppError `USAGE` with field `id` or `manifest`; `PLACE_UNUSABLE`.
   */
  create(draft: CapsuleDraft, options?: CapsuleOptions): Promise<Capsule>;
  /**
   * Writes the user's overlay of a shipped capsule or of one of their own, which keeps its trust.
   *
   * @param text Markdown, at most 256 KiB of UTF-8.
   * @throws AppError `USAGE` for a project's capsule; `OVERLAY_INVALID`; `OVERLAY_CHANGED`.
   */
  saveOverlay(id: string, text: string, options?: SaveOverlayOptions): Promise<SavedOverlay>;

  /** Checks manifest, overlay, cases and protocol. @throws AppError `USAGE`, `ISOLATION_REFUSED`, `ISOLATION_MISSING`. */
  check(named: string, options?: CheckOptions): Promise<CheckedCapsule>;
  /** Runs its cases. @throws As `check`; AppError `CASE_INVALID`, `CANCELLED`. */
  test(named: string, options?: TestOptions): Promise<TestedCapsule>;
  /** Runs its cases with the saved overlay and with a draft, from recorded answers. @throws As `test`; AppError `OVERLAY_INVALID`. */
  tryOverlay(
    id: string,
    text: string,
    options?: TryOverlayOptions,
  ): Promise<readonly ComparedCase[]>;
  /** Repeats its last tasks under two overlays, of which one may be a draft. @throws As `check`; AppError `OVERLAY_UNKNOWN`, `CANCELLED`. */
  compare(named: string, options: CompareOptions): Promise<ComparedOverlays>;
  /** Runs a task again after each save, until the signal is aborted. @throws As `check`. */
  develop(named: string, options: DevelopOptions): AsyncIterable<DevelopEvent>;

  /** Checks that a capsule is the user's own. @throws AppError `USAGE`. */
  assertArchivable(id: string, options?: CapsuleOptions): Promise<void>;
  /** Moves one of the user's own into the archive. @returns The folder that keeps it. @throws AppError `USAGE`. */
  archive(
    id: string,
    options?: CapsuleOptions,
  ): Promise<{ readonly id: string; readonly kept: string }>;
  /** From the archive, or from quarantine. @throws AppError `USAGE`. */
  restore(id: string, options?: CapsuleOptions): Promise<RestoredCapsule>;
  /** Excludes a capsule from routing until it is restored. */
  quarantine(
    id: string,
    options?: QuarantineOptions,
  ): Promise<{ readonly id: string; readonly reason: string }>;

  /** Packs a capsule into one text. @throws AppError `USAGE`. */
  export(named: string, options?: CapsuleOptions): Promise<ExportedCapsule>;
  /**
   * Previews an import.
   *
   * @param path An archive, or a capsule's folder.
   * @throws AppError `ARCHIVE_INVALID`, `CAPSULE_FOLDER_INVALID`; `USAGE` with field `id`.
   */
  readArchive(path: string, options?: ImportOptions): Promise<ArchivedCapsule>;
  /**
   * Imports an archive or a folder that the user agreed to.
   *
   * @throws AppError `ARCHIVE_INVALID` or `CAPSULE_FOLDER_INVALID`, also if it changed since it was read; `USAGE` with
   *   field `id`.
   */
  import(path: string, options: ConfirmedImport): Promise<Capsule>;
  /** Updates the entrypoints of the user's own capsules to the current form. */
  rewriteEntrypoints(options?: CapsuleOptions): Promise<readonly RewrittenEntrypoint[]>;
}

export const capsulesApi = (context: AppContext): CapsulesApi => ({
  ...lazyApi<Omit<CapsulesApi, 'develop'>>({
    list: async () => (await import('./list-capsules.ts')).listCapsules,
    broken: async () => (await import('./list-capsules.ts')).listBroken,
    get: async () => (await import('./list-capsules.ts')).getCapsule,
    prompt: async () => (await import('./overlay/show-prompt.ts')).showPrompt,
    previewOverlay: async () => (await import('./overlay/show-prompt.ts')).previewOverlay,
    propose: async () => (await import('./create/propose-capsule.ts')).proposeCapsule,
    create: async () => (await import('./create/propose-capsule.ts')).createCapsule,
    saveOverlay: async () => (await import('./overlay/save-overlay.ts')).saveOverlay,
    check: async () => (await import('./trials/check-capsule.ts')).checkCapsule,
    test: async () => (await import('./test-capsule.ts')).testCapsule,
    tryOverlay: async () => (await import('./overlay/compare-overlays.ts')).tryOverlay,
    compare: async () => (await import('./overlay/compare-overlays.ts')).compareOverlays,
    assertArchivable: async () => (await import('./share/archive-capsule.ts')).assertArchivable,
    archive: async () => (await import('./share/archive-capsule.ts')).archiveCapsule,
    restore: async () => (await import('./share/archive-capsule.ts')).restoreCapsule,
    quarantine: async () => (await import('./share/archive-capsule.ts')).quarantineCapsule,
    export: async () => (await import('./share/capsule-archives.ts')).exportCapsule,
    readArchive: async () => (await import('./share/capsule-archives.ts')).previewArchive,
    import: async () => (await import('./share/capsule-archives.ts')).importCapsule,
    rewriteEntrypoints: async () => (await import('./share/upgrade-shims.ts')).rewriteEntrypoints,
  })(context),
  async *develop(named, options) {
    const { developCapsule } = await import('./trials/develop-capsule.ts');
    yield* developCapsule(context, named, options);
  },
});
