import { homedir } from 'node:os';
import type { LoadedSettings, Places, Settings } from '../../../config/settings.ts';
import { printable } from '../../../contract/text/printable.ts';
import { isInside } from '../../../platform/files/inside.ts';
import { isolationFix } from '../../../runtime/sandbox/find/isolation-fix.ts';
import { levelSentences } from '../../../runtime/sandbox/find/level.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import { hiddenFolders } from '../../../tools/programs/hidden-program-hint.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { Environment, SettingsOverrides } from '../../context/open-options.ts';
import { assertIsolation, openIsolation } from '../../wiring/isolation.ts';
import { planSearchIndex } from '../repair/plan-repairs.ts';
import { type Check, checksOf } from './check.ts';
import { checkBreakers } from './check-breakers.ts';
import { checkFiles } from './check-files.ts';
import { checkEmbedder, checkProviders } from './check-providers.ts';

/** The parts of a run, opened by the same functions. */
export async function checkParts(
  context: AppContext,
  loaded: LoadedSettings,
  overrides: SettingsOverrides,
): Promise<Check[]> {
  const { settings } = loaded;
  return [
    ...(await checkFiles(context, loaded, overrides)),
    await checkEmbedder(settings),
    ...(await checkProviders(settings)),
    ...(await checkBreakers(context)),
    checkSearchIndex(context.places),
    await checkIsolation(settings),
    ...(await checkSearchPath(settings, context.environment)),
  ];
}

const storage = checksOf('storage');

/** Whether the search index of capsules is complete. */
const checkSearchIndex = (places: Places): Check =>
  planSearchIndex(places) === undefined
    ? storage.ok('search index', 'complete')
    : storage.warn('search index', 'parts of it are missing', undefined, 'repair');

const { ok, warn, fail } = checksOf('isolation');

/** The isolation level in force, and why it is not higher. */
async function checkIsolation(settings: Settings): Promise<Check> {
  const name = 'isolation';
  const isolation = await openIsolation(settings, false);
  const { level, reason } = isolation;
  const message = `${level}: ${levelSentences[level]} (${reason})`;
  const fix = isolationFix(reason);
  try {
    assertIsolation(settings, isolation, undefined);
  } catch {
    const wanted = settings.isolation === 'auto' ? '' : `${settings.isolation} is required. `;
    return fail(name, `${wanted}${message}`, fix);
  }
  return level === 'A' ? ok(name, message) : warn(name, message, fix);
}

/** Programs of the person that commands can't see in the sandbox, and the value of the setting that opens them. */
async function checkSearchPath(settings: Settings, environment: Environment): Promise<Check[]> {
  const { workspace, places, sandboxRead } = settings;
  const { sandbox } = await openIsolation(settings, false);
  const searchPath = environment['PATH'] ?? '';
  const closed = [homedir(), ...Object.values(places)].map(resolveExisting);
  const folders = hiddenFolders({ workspace, searchPath, sees: sandbox.sees }).filter(
    (folder) => !closed.some((one) => isInside(resolveExisting(folder), one)),
  );
  if (folders.length === 0) return [];
  const message = printable(`commands can't see what is in ${folders.join(', ')}`);
  const value = [...sandboxRead, ...folders].join(':');
  const fix = printable(`If commands need it, set CAPSTAN_SANDBOX_READ=${value}`);
  return [checksOf('programs').warn('own programs', message, fix)];
}
