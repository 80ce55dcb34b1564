import type { LoadedSettings } from '../../config/settings.ts';
import { messageOf } from '../../contract/errors.ts';
import type { AppContext } from '../app-context.ts';
import { loadCapsules } from '../capsules/load-capsules.ts';
import { usableCapsules } from '../capsules/usable-capsules.ts';
import type { SettingsOverrides } from '../open-options.ts';
import { policyForStart } from '../runs/start/prepare-run.ts';
import { openConfiguredApis } from '../wiring/models/open-configured-apis.ts';
import { type Check, checksOf } from './check.ts';
import { checkHooks } from './check-hooks.ts';

const { ok, warn, fail } = checksOf('settings');

/** The user's files besides the settings: rules, services, hooks, prices and capsules, each read as a run reads it. */
export async function checkFiles(
  context: AppContext,
  loaded: LoadedSettings,
  overrides: SettingsOverrides,
): Promise<Check[]> {
  const { settings } = loaded;
  const { environment } = context;
  const { loadOwnPrices } = await import('../../llm/prices/own-prices.ts');
  return [
    ...(await checkFile(
      'rules',
      async () => (await policyForStart(context, loaded, undefined)).notices,
    )),
    ...(await checkFile(
      'services',
      async () => (await openConfiguredApis(settings, environment)).notices,
    )),
    ...(await checkHooks(settings.places.configDir)),
    ...(await checkFile('prices', () => loadOwnPrices(settings.places.configDir))),
    ...(await checkCapsules(context, overrides)),
  ];
}

/** @param read Returns notices, if any. */
async function checkFile(name: string, read: () => Promise<unknown>): Promise<Check[]> {
  try {
    const notices = await read();
    if (!Array.isArray(notices) || notices.length === 0) return [ok(name, 'valid')];
    return notices.map((notice: string) => warn(name, notice, undefined));
  } catch (error) {
    return [fail(name, messageOf(error), 'Correct each value.')];
  }
}

async function checkCapsules(context: AppContext, overrides: SettingsOverrides): Promise<Check[]> {
  const problems: string[] = [];
  const onNotice = (text: string) => void problems.push(text);
  const usable = await usableCapsules(
    await loadCapsules(context, { settings: overrides, onNotice }),
  );
  return [
    ok('capsules', `${usable.length} can be used`),
    ...problems.map((problem) => warn('capsules', problem, undefined)),
  ];
}
