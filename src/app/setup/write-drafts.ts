import { makePlaces } from '../../config/places.ts';
import { AppError } from '../../contract/errors.ts';
import type { AppContext } from '../app-context.ts';
import type { Draft } from './propose-changes.ts';
import { assertUnchanged, writeSettingsFile } from './settings-file.ts';

/** Checks every file before the first is written. @throws AppError `SETTINGS_NOT_WRITTEN`; `PLACE_UNUSABLE`; `USAGE`. */
export async function writeDrafts(
  context: AppContext,
  drafts: readonly Draft[] | undefined,
): Promise<void> {
  if (drafts === undefined)
    throw new AppError('USAGE', { problem: 'Write a proposal that `propose` returned, once.' });
  const { settings } = await context.settings({});
  makePlaces(context.places);
  for (const { file } of drafts) assertUnchanged(file);
  for (const { file, text } of drafts) writeSettingsFile(file, text, settings.workspace);
  context.forgetSettings();
}
