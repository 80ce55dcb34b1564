import { join } from 'node:path';
import { agentsFolder } from '../../../config/files/agent-folders.ts';
import { installFolder } from '../../../config/files/install-folder.ts';
import { isFolderTrusted } from '../../../config/project/project-files.ts';
import type { LoadedSettings, Places, Project } from '../../../config/settings.ts';
import { type CapsuleRoots, readCapsules } from '../../../registry/capsule-store.ts';
import type { SkillRoot } from '../../../registry/overlay/skills.ts';

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

/**
 * The folders of skills, in order of precedence: the shipped ones, the user's own (`agents/skills` in the data folder), and
 * the trusted ones of a project (`skills`, `agents/skills`).
 */
export function skillRoots({ dataDir }: Places, project: Project): SkillRoot[] {
  const ofProject = (folder: string): SkillRoot => ({
    dir: join(project.folder, folder),
    isTrusted: (name) => isFolderTrusted(project, `${folder}/${name}`),
  });
  return [
    { dir: join(installFolder(), 'agents/skills') },
    { dir: join(dataDir, 'agents/skills') },
    ofProject('skills'),
    ofProject('agents/skills'),
  ];
}
