import { join } from 'node:path';
import { installFolder } from '../../../config/files/install-folder.ts';
import { isFolderTrusted } from '../../../config/project/project-files.ts';
import type { Places, Project } from '../../../config/settings.ts';
import type { SkillRoot } from '../../../registry/overlay/skills.ts';

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
