import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { makePlaces } from '../../config/places.ts';
import { hashOf } from '../../config/project-files.ts';
import { renderProjectTemplate } from '../../config/project-template.ts';
import { acceptFiles } from '../../config/project-trust.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';

export const command: CommandDefinition = {
  name: 'init',
  summary: 'Write a commented capstan.yaml for this project',
  options: [
    { flags: '-w, --workspace <dir>', description: "the project's folder" },
    { flags: '--json', description: 'print JSON' },
  ],
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
  makePlaces(settings.places);
  const path = join(settings.workspace, 'capstan.yaml');
  const text = renderProjectTemplate();
  const isJson = options['json'] === true;
  if (!writeNewFile(path, text)) {
    if (isJson) printJson(io, { path, written: false });
    else io.stdout(`${path} is there already; it was left as it is.\n`);
    return exitCodes.completed;
  }
  acceptFiles(settings.places.configDir, settings.workspace, [
    { path: 'capstan.yaml', sha256: hashOf(text) },
  ]);
  if (isJson) {
    printJson(io, { path, written: true });
    return exitCodes.completed;
  }
  io.stdout(
    `Wrote ${path}, and trusted it as it is. After you changed it: \`capstan config trust\`.\n` +
      `Your own settings and keys belong in ${settings.places.configDir}/config.yaml and .env.\n`,
  );
  return exitCodes.completed;
}

/** False where something is there already, be it a dangling link. */
function writeNewFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    const problem = `${path} can't be written (${messageOf(error)}). Name a folder that you can write with --workspace.`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}
