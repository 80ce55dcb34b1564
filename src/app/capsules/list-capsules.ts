import { join } from 'node:path';
import { caseFolders, caseNames } from '../../authoring/cases/case-files.ts';
import { capsuleHome } from '../../config/files/agent-folders.ts';
import { messageOf } from '../../contract/errors.ts';
import { isAsShipped } from '../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { countMemories } from '../../memory/open-memory.ts';
import {
  type CapsuleFigures,
  overlayVersion,
  type VersionFigures,
} from '../../registry/capsule-metrics.ts';
import { capsuleProblem } from '../../registry/capsule-problem.ts';
import { type Capsule, readCapsule } from '../../registry/capsule-store.ts';
import type { Quarantined } from '../../registry/quarantine.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { AppContext } from '../context/open-context.ts';
import { storesIfAny } from './capsule-records.ts';
import {
  type CapsuleOptions,
  findCapsule,
  findShown,
  loadCapsules,
  ownIds,
  readSkills,
  usableCapsules,
} from './load-capsules.ts';

export interface ListedCapsule {
  readonly capsule: Capsule;
  /** Whether it ships with Capstan, and the user's own overlay replaces its own. */
  readonly isEdited: boolean;
  /** Undefined if it was never used. */
  readonly figures: CapsuleFigures | undefined;
  /** Durations of its last uses in milliseconds, at most 30, oldest first. */
  readonly lastMs: readonly number[];
  /** Undefined if it is ready. */
  readonly quarantine: Quarantined | undefined;
}

/** The shipped capsules, the user's own, and those of a trusted project, as a run would use them. */
export async function listCapsules(
  context: AppContext,
  options: CapsuleOptions = {},
): Promise<readonly ListedCapsule[]> {
  const capsules = await usableCapsules(await loadCapsules(context, options));
  const stores = await storesIfAny(context);
  return capsules.map((capsule) => listed(capsule, stores));
}

/** One of the user's own capsules that no run can use. */
export interface BrokenCapsule {
  readonly id: string;
  /** Why, with the fix. */
  readonly problem: string;
}

/** The user's own capsules that `listCapsules` leaves out. */
export async function listBroken(
  context: AppContext,
  options: CapsuleOptions = {},
): Promise<readonly BrokenCapsule[]> {
  const loaded = await loadCapsules(context, options);
  const skills = await readSkills(loaded);
  const problemOf = (id: string): unknown => {
    try {
      return capsuleProblem(findCapsule(loaded, id), skills, toolbox);
    } catch (error) {
      return error;
    }
  };
  return ownIds(loaded.personal)
    .map((id) => ({ id, problem: problemOf(id) }))
    .filter(({ problem }) => problem !== undefined)
    .map(({ id, problem }) => ({ id, problem: messageOf(problem) }));
}

const listed = (capsule: Capsule, stores: Stores | undefined): ListedCapsule => ({
  capsule,
  isEdited: capsule.origin === 'shipped' && !isAsShipped(capsule),
  figures: stores?.metrics.of(capsule),
  lastMs: stores?.metrics.lastMs(capsule) ?? [],
  quarantine: stores?.quarantine.find(capsule),
});

export interface CapsuleDetails extends ListedCapsule {
  /** Number of items that it remembers. */
  readonly memories: number;
  /** The overlay that it ships with, if the user's own replaces it. */
  readonly shippedOverlay: string | undefined;
  /** SHA-256 of its overlay, or of the empty text. */
  readonly overlayVersion: string;
  /** Statistics by version of its overlay, last used first. */
  readonly versions: readonly VersionFigures[];
  /** The names of its cases, valid or not. */
  readonly cases: readonly string[];
}

/** @throws AppError `CAPSULE_UNKNOWN`; `MANIFEST_INVALID` or `OVERLAY_INVALID` if it is the user's own and broken. */
export async function getCapsule(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<CapsuleDetails> {
  const loaded = await loadCapsules(context, options, id);
  const capsule = findShown(loaded, id);
  await usableCapsules(loaded, [capsule]);
  const { places, workspace } = loaded.loaded.settings;
  const home = capsuleHome(places, workspace, capsule);
  const stores = await storesIfAny(context);
  const details = listed(capsule, stores);
  return {
    ...details,
    shippedOverlay: details.isEdited
      ? (readCapsule(capsule.dir, 'shipped').overlay?.text ?? '')
      : undefined,
    memories: countMemories(join(home, 'memory.db')),
    overlayVersion: overlayVersion(capsule.overlay),
    versions: stores?.metrics.versionsOf(capsule) ?? [],
    cases: caseNames(caseFolders(loaded.personal, capsule)),
  };
}
