import { installFolder } from '../../config/files/install-folder.ts';
import type { LoadedSettings, Places } from '../../config/settings.ts';
import { messageOf } from '../../contract/errors.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';
import { certificateNotices } from './certificate-notices.ts';
import { type Check, checksOf } from './checks/check.ts';
import { checkCoreFiles } from './checks/check-core-files.ts';
import { checkParts } from './checks/check-parts.ts';
import { checkBuild, checkNode, checkPrograms } from './checks/check-programs.ts';
import { checkDatabase, checkPlaces } from './checks/check-storage.ts';

const { ok, warn, fail } = checksOf('settings');

/** Checks this machine and the settings. With invalid settings, models and isolation are not checked. */
export async function runChecks(context: AppContext, overrides: SettingsOverrides = {}) {
  const loaded = await context.settings(overrides).catch((error: unknown) => messageOf(error));
  return [
    checkNode(process.versions.node),
    ...checkBuild(installFolder()),
    ...checkSettings(loaded, context.places),
    ...certificateNotices(context.environment).map(checkNotice),
    ...checkPlaces(context.places),
    ...(await checkDatabase(context.places)),
    ...(typeof loaded === 'string' ? [] : await checkParts(context, loaded, overrides)),
    ...checkCoreFiles(),
    ...(await checkPrograms(context.environment)),
  ];
}

function checkSettings(loaded: LoadedSettings | string, places: Places): Check[] {
  if (typeof loaded === 'string') return [fail('settings', loaded, 'Correct each value.')];
  return [
    ok('settings', 'valid'),
    ...loaded.notices.filter((notice) => !isOfFolder(notice, places)).map(checkNotice),
  ];
}

/** The checks of the folders say it. */
const isOfFolder = (notice: string, places: Places): boolean =>
  Object.values(places).some((folder) => notice.startsWith(`${folder}${IS_OPEN}`));

/** A place that is open to others can be closed here. */
const checkNotice = (notice: string): Check =>
  warn('notice', notice, undefined, notice.includes(IS_OPEN) ? 'repair' : undefined);

const IS_OPEN = ' is open to other users ';
