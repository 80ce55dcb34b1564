import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { makePlaces } from '../../config/places.ts';
import { hashOf } from '../../config/project-files.ts';
import { renderProjectTemplate } from '../../config/project-template.ts';
import { acceptFiles } from '../../config/project-trust.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';

export const command: CommandDefinition = {
  name: 'init',
  summary: 'Write a commented capstan.yaml for this project',
  options: [{ flags: '-w, --workspace <dir>', description: "the project's folder" }],
  examples: ['capstan init', 'capstan init --workspace ../shop'],
  run: initProject,
};

async function initProject({ options }: CommandArguments, io: CommandIo): Promise<number> {
  const { environment, cwd } = io;
  const { settings } = await loadSettings({
    flags: options,
    environment,
    cwd,
    installFolder: installFolder(),
  });
  const path = join(settings.workspace, 'capstan.yaml');
  const text = renderProjectTemplate();
  if (!writeNewFile(path, text)) {
    io.stdout(`${path} is there already; it was left as it is.\n`);
    return 0;
  }
  makePlaces(settings.places);
  acceptFiles(settings.places.configDir, settings.workspace, [
    { path: 'capstan.yaml', sha256: hashOf(text) },
  ]);
  io.stdout(
    `Wrote ${path}, and trusted it as it is. After you changed it: \`capstan config trust\`.\n` +
      `Your own settings and keys belong in ${settings.places.configDir}/config.yaml and .env.\n`,
  );
  return 0;
}

/** False where something is there already, be it a dangling link. */
function writeNewFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
