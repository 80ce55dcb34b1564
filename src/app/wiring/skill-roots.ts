import { join } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { isFolderTrusted } from '../../config/project-files.ts';
import type { Places, Project } from '../../config/settings.ts';
import type { SkillRoot } from '../../registry/overlay/skills.ts';

/**
 * Where skills are looked for, strongest first: those that ship, the person's own (`agents/skills` in the data folder), and
 * those of a project (`skills`, `agents/skills`) as far as the person trusts them.
 */
export function skillRoots({ dataDir }: Places, project: Project | undefined): SkillRoot[] {
  const ofProject = (folder: string): SkillRoot[] =>
    project
      ? [
          {
            dir: join(project.folder, folder),
            isTrusted: (name) => isFolderTrusted(project, `${folder}/${name}`),
          },
        ]
      : [];
  return [
    { dir: join(installFolder(), 'agents/skills') },
    { dir: join(dataDir, 'agents/skills') },
    ...ofProject('skills'),
    ...ofProject('agents/skills'),
  ];
}
