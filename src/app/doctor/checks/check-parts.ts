import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute } from 'node:path';
import { type HookText, readHooksFile } from '../../../config/files/hooks-file.ts';
import type { LoadedSettings, Places, Settings } from '../../../config/settings.ts';
import { messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { loadOwnPrices } from '../../../llm/prices/own-prices.ts';
import { isInside } from '../../../platform/files/inside.ts';
import { isProgram } from '../../../platform/files/is-program.ts';
import { isolationFix } from '../../../runtime/sandbox/find/isolation-fix.ts';
import { levelSentences } from '../../../runtime/sandbox/find/level.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import { hiddenFolders } from '../../../tools/programs/hidden-program-hint.ts';
import { loadCapsules, usableCapsules } from '../../capsules/load-capsules.ts';
import type { AppContext, Environment, SettingsOverrides } from '../../context/open-context.ts';
import { policyForStart } from '../../runs/start/prepare-run.ts';
import { assertIsolation, openIsolation } from '../../wiring/isolation.ts';
import { openConfiguredApis } from '../../wiring/models/open-configured-apis.ts';
import { planSearchIndex } from '../repair/plan-repairs.ts';
import { type Check, checksOf } from './check.ts';
import { checkBreakers, checkEmbedder, checkProviders } from './check-providers.ts';

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

const files = checksOf('settings');

/** The user's files besides the settings: rules, services, hooks, prices and capsules, each read as a run reads it. */
async function checkFiles(
  context: AppContext,
  loaded: LoadedSettings,
  overrides: SettingsOverrides,
): Promise<Check[]> {
  const { settings } = loaded;
  const { configDir } = settings.places;
  const rules = async () => (await policyForStart(context, loaded, undefined)).notices;
  const services = async () => (await openConfiguredApis(settings, context.environment)).notices;
  return [
    ...(await checkFile('rules', rules)),
    ...(await checkFile('services', services)),
    ...(await checkHooks(configDir)),
    ...(await checkFile('prices', () => loadOwnPrices(configDir))),
    ...(await checkCapsules(context, overrides)),
  ];
}

/** @param read Returns what is unwise, if anything. */
async function checkFile(
  name: string,
  read: () => Promise<unknown>,
  toCheck = (notice: string) => files.warn(name, notice),
): Promise<Check[]> {
  try {
    const notices = await read();
    if (!Array.isArray(notices) || notices.length === 0) return [files.ok(name, 'valid')];
    return notices.map(toCheck);
  } catch (error) {
    return [files.fail(name, messageOf(error), 'Correct each value.')];
  }
}

async function checkCapsules(context: AppContext, settings: SettingsOverrides): Promise<Check[]> {
  const problems: string[] = [];
  const onNotice = (text: string) => void problems.push(text);
  const usable = await usableCapsules(await loadCapsules(context, { settings, onNotice }));
  return [
    files.ok('capsules', `${usable.length} can be used`),
    ...problems.map((problem) => files.warn('capsules', problem)),
  ];
}

/** The user's hooks: the file, and the programs and scripts that it names. */
const checkHooks = (configDir: string): Promise<Check[]> =>
  checkFile(
    'hooks',
    async () => (await readHooksFile(configDir)).flatMap(problemsOf),
    (problem) => files.fail('hooks', problem, 'Correct the path in hooks.yaml.'),
  );

function problemsOf({ id, mode, command, module }: HookText): readonly string[] {
  const [program, ...words] = command ?? [];
  const script = INTERPRETER.test(basename(program ?? ''))
    ? words.find((word) => !word.startsWith('-'))
    : undefined;
  const scripts = [module, script].filter((path) => path !== undefined && isAbsolute(path));
  const effect = mode === 'enforce' ? 'everything that it is asked about is denied' : 'it fails';
  return [
    ...(program === undefined || isProgram(program) ? [] : [`${program} can't be executed`]),
    ...scripts.filter((path) => !isFile(path)).map((path) => `there is no file ${path}`),
  ].map((problem) => `The hook "${id}": ${problem}, so ${effect}.`);
}

/** Programs that run a script: their first argument that is not an option. */
const INTERPRETER = /^(?:node|deno|bun|python[\d.]*|(?:ba|da|z)?sh|ruby|perl|php)$/;

const isFile = (path: string | undefined): boolean =>
  path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
