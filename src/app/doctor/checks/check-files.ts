import { statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { type HookText, readHooksFile } from '../../../config/files/hooks-file.ts';
import type { LoadedSettings } from '../../../config/settings.ts';
import { messageOf } from '../../../contract/errors.ts';
import { loadOwnPrices } from '../../../llm/prices/own-prices.ts';
import { isProgram } from '../../../platform/files/is-program.ts';
import { loadCapsules } from '../../capsules/load-capsules.ts';
import { usableCapsules } from '../../capsules/usable-capsules.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { SettingsOverrides } from '../../context/open-options.ts';
import { policyForStart } from '../../runs/start/prepare-run.ts';
import { openConfiguredApis } from '../../wiring/models/open-configured-apis.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn, fail } = checksOf('settings');

/** The user's files besides the settings: rules, services, hooks, prices and capsules, each read as a run reads it. */
export async function checkFiles(
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
  toCheck = (notice: string) => warn(name, notice),
): Promise<Check[]> {
  try {
    const notices = await read();
    if (!Array.isArray(notices) || notices.length === 0) return [ok(name, 'valid')];
    return notices.map(toCheck);
  } catch (error) {
    return [fail(name, messageOf(error), 'Correct each value.')];
  }
}

async function checkCapsules(context: AppContext, settings: SettingsOverrides): Promise<Check[]> {
  const problems: string[] = [];
  const onNotice = (text: string) => void problems.push(text);
  const usable = await usableCapsules(await loadCapsules(context, { settings, onNotice }));
  return [
    ok('capsules', `${usable.length} can be used`),
    ...problems.map((problem) => warn('capsules', problem)),
  ];
}

/** The user's hooks: the file, and the programs and scripts that it names. */
const checkHooks = (configDir: string): Promise<Check[]> =>
  checkFile(
    'hooks',
    async () => (await readHooksFile(configDir)).flatMap(problemsOf),
    (problem) => fail('hooks', problem, 'Correct the path in hooks.yaml.'),
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
