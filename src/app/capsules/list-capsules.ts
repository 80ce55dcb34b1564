import { join } from 'node:path';
import { caseFolders, caseNames } from '../../authoring/cases/case-files.ts';
import { capsuleHome } from '../../config/files/agent-folders.ts';
import { messageOf } from '../../contract/errors.ts';
import { isAsShipped } from '../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { countMemories } from '../../memory/open-memory.ts';
import { overlayVersion } from '../../registry/capsule-metrics.ts';
import { capsuleProblem } from '../../registry/capsule-problem.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
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

/** The shipped capsules, the user's own, and those of a trusted project, as a run would use them. */
export async function listCapsules(context: AppContext, options: CapsuleOptions = {}) {
  const capsules = await usableCapsules(await loadCapsules(context, options));
  const stores = await storesIfAny(context);
  return capsules.map((capsule) => listed(capsule, stores));
}

/** One of the user's own capsules that no run can use; `problem`: why, with the fix. */
export type BrokenCapsule = Awaited<ReturnType<typeof listBroken>>[number];

/** The user's own capsules that `listCapsules` leaves out. */
export async function listBroken(context: AppContext, options: CapsuleOptions = {}) {
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

export type ListedCapsule = ReturnType<typeof listed>;

const listed = (capsule: Capsule, stores: Stores | undefined) => ({
  capsule,
  /** Whether it ships with Capstan, and the user's own overlay replaces its own. */
  isEdited: capsule.origin === 'shipped' && !isAsShipped(capsule),
  /** Undefined if it was never used. */
  figures: stores?.metrics.of(capsule),
  /** Durations of its last uses in milliseconds, at most 30, oldest first. */
  lastMs: stores?.metrics.lastMs(capsule) ?? [],
  /** Undefined if it is ready. */
  quarantine: stores?.quarantine.find(capsule),
});

export type CapsuleDetails = Awaited<ReturnType<typeof getCapsule>>;

/** @throws AppError `CAPSULE_UNKNOWN`; `MANIFEST_INVALID` or `OVERLAY_INVALID` if it is the user's own and broken. */
export async function getCapsule(context: AppContext, id: string, options: CapsuleOptions = {}) {
  const loaded = await loadCapsules(context, options, id);
  const capsule = findShown(loaded, id);
  await usableCapsules(loaded, [capsule]);
  const { places, workspace } = loaded.loaded.settings;
  const home = capsuleHome(places, workspace, capsule);
  const stores = await storesIfAny(context);
  return {
    ...listed(capsule, stores),
    /** Number of items that it remembers. */
    memories: countMemories(join(home, 'memory.db')),
    /** SHA-256 of its overlay, or of the empty text. */
    overlayVersion: overlayVersion(capsule.overlay),
    /** Statistics by version of its overlay, last used first. */
    versions: stores?.metrics.versionsOf(capsule) ?? [],
    /** Their names, valid or not. */
    cases: caseNames(caseFolders(loaded.personal, capsule)),
  };
}
