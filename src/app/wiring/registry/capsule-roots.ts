import { join } from 'node:path';
import { agentsFolder } from '../../../config/files/agent-folders.ts';
import { installFolder } from '../../../config/files/install-folder.ts';
import { isFolderTrusted } from '../../../config/project/project-files.ts';
import type { LoadedSettings, Places } from '../../../config/settings.ts';
import { type CapsuleRoots, readCapsules } from '../../../registry/capsule-store.ts';

/** The folders that hold the capsules of these settings. */
export const capsuleRoots = ({
  settings,
  project,
}: Pick<LoadedSettings, 'settings' | 'project'>): CapsuleRoots => ({
  ...ownCapsuleRoots(settings.places),
  project: {
    dir: join(project.folder, 'agents'),
    isTrusted: (id) => isFolderTrusted(project, `agents/${id}`),
  },
});

/** The ids of the capsules of these settings. */
export const capsuleIds = (loaded: LoadedSettings): readonly string[] =>
  readCapsules(capsuleRoots(loaded)).capsules.map(({ id }) => id);

/** The same without those of a project. */
export const ownCapsuleRoots = (places: Places) => ({
  shipped: join(installFolder(), 'agents'),
  personal: agentsFolder(places),
});
