import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agreedFile, projectOwner } from '../../broker/agreed/agreed-files.ts';
import { renderProjectTemplate } from '../../config/project/project-template.ts';
import { acceptFiles } from '../../config/project/project-trust.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { AppContext } from '../context/open-context.ts';
import type { SettingsOverrides } from '../context/open-options.ts';
import { keepTrustedTexts } from './project-trust.ts';

/** The project's `capstan.yaml`, new or as it was, and the folder of the user's own settings. */
export type WrittenTemplate = Awaited<ReturnType<typeof writeTemplate>>;

/** Implements `settings.writeTemplate`. */
export async function writeTemplate(context: AppContext, overrides: SettingsOverrides = {}) {
  const { settings } = await context.settings(overrides);
  const { places, workspace } = settings;
  makeFolder(places.configDir);
  const path = join(workspace, 'capstan.yaml');
  const text = renderProjectTemplate();
  const isNew = writeNewFile(path, text);
  if (isNew) {
    const file = agreedFile('capstan.yaml', Buffer.from(text));
    acceptFiles(places.configDir, workspace, [file]);
    const kept = (await context.stores()).agreedFiles.of(projectOwner(workspace)) ?? [];
    const others = kept.filter(({ path: other }) => other !== file.path);
    await keepTrustedTexts(context, workspace, [...others, file]);
  }
  return { path, isNew, configDir: places.configDir };
}

/** False if the path exists, even as a dangling link. */
function writeNewFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    const problem = `${path} can't be written (${messageOf(error)}). Choose a workspace that you can write to.`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}
