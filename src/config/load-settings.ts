import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { hasControlCharacter, printable } from '../contract/text/printable.ts';
import { ROOT_NOTICE } from '../contract/text/root-notice.ts';
import { keySettings, type VendorName, vendors } from '../contract/vendors.ts';
import { isLoopback } from '../platform/loopback.ts';
import { expandPath, findOpenPlaces, findPlaces, homeOf } from './places.ts';
import { projectNotices, readTrustedFile, scanProject, trustAll } from './project/project-files.ts';
import { acceptedFiles } from './project/project-trust.ts';
import { checkTogether } from './read/check-together.ts';
import {
  type Given,
  listProblems,
  type Problem,
  problemOf,
  readSource,
  type Source,
  settingsInvalid,
} from './read/given.ts';
import { readEnvFile, readEnvironment } from './read/read-environment.ts';
import { type Resolved, resolveSettings } from './read/resolve.ts';
import { type SettingName, type SettingValues, settingNames, settingOf } from './setting-table.ts';
import type { FieldSettings, LoadedSettings, Places, Project, Settings } from './settings.ts';
import { readYaml } from './yaml/read-yaml.ts';
import { decode, readTextFile } from './yaml/text-file.ts';

export interface LoadOptions {
  /** The parsed options of a command, camel-cased; options that are not settings are ignored. `trustProject` trusts the project's files for this process. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder for relative paths. */
  readonly cwd: string;
  /** Capstan's own folder. If it is the workspace, its `agents/` are not a project's. */
  readonly installFolder?: string;
}

/**
 * The settings in force, from flags, the environment, a trusted project's `capstan.yaml`, the user's `config.yaml`
 * and `.env`, and defaults. Writes nothing.
 *
 * @throws AppError `SETTINGS_INVALID` with all invalid values, their sources and their fixes.
 */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const { flags = {}, environment = process.env, cwd } = options;
  const home = homeOf(environment);
  const places = findPlaces(environment, cwd);
  const own = [
    readFlags(flags, cwd),
    readEnvironment(environment, cwd),
    readEnvFile(join(places.configDir, '.env')),
    await readPersonYaml(join(places.configDir, 'config.yaml')),
  ];
  const { workspace, problems: lost } = findWorkspace(
    own.flatMap(({ givens }) => givens),
    cwd,
    home,
  );
  const { project, problems: untold } = findProject(options, places, workspace);
  const sources = [...own, await readProjectYaml(project)];
  const resolved = resolveSettings(
    sources.flatMap(({ givens }) => givens),
    home,
    places.configDir,
  );
  const problems = [
    ...sources.flatMap((source) => source.problems),
    ...resolved.problems,
    ...lost,
    ...untold,
    ...checkTogether(resolved, { places, workspace }, home),
  ];
  if (problems.length > 0)
    throw new AppError('SETTINGS_INVALID', { issues: listProblems(problems), found: problems });
  const budget = resolved.origins.get('CAPSTAN_BUDGET_RUN_USD')?.layer;
  const runBudgetSetByPerson = budget !== 'default' && budget !== 'project';
  return {
    settings: toSettings(resolved.values, { places, workspace, home, runBudgetSetByPerson }),
    origins: resolved.origins,
    notices: [
      ...new Set([
        ...sources.flatMap(({ notices }) => notices),
        ...resolved.notices,
        ...projectNotices(project),
        ...personNotices(resolved, places),
        ...(workspace === '/' ? [WHOLE_MACHINE] : []),
      ]),
    ],
    project,
  };
}

const readPersonYaml = (path: string) =>
  readSource(path, readTextFile(path), (text) => readYaml(path, text, 'person'));

function readProjectYaml(project: Project) {
  const bytes = readTrustedFile(project, 'capstan.yaml');
  const path = join(project.folder, 'capstan.yaml');
  return readSource(path, bytes && decode(bytes), (text) => readYaml(path, text, 'project'));
}

/** The real path of the workspace; if it can't be resolved, the current folder and the reason. */
function findWorkspace(givens: readonly Given[], cwd: string, home: string) {
  const given = givens.find(({ name }) => name === 'CAPSTAN_WORKSPACE');
  if (typeof given?.raw !== 'string' || hasControlCharacter(given.raw.trim()))
    return { workspace: realCwd(cwd), problems: [] };
  const path = expandPath(given.raw.trim(), given.folder, home);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return { workspace: realpathSync(path), problems: [] };
  const problem = `there is no such folder (${printable(path)}). Make it, or name another.`;
  return { workspace: realCwd(cwd), problems: [problemOf(given, problem)] };
}

/** @throws AppError `SETTINGS_INVALID` if there is no such folder. */
function realCwd(cwd: string): string {
  if (existsSync(cwd) && statSync(cwd).isDirectory()) return realpathSync(cwd);
  const problem = 'there is no such folder. Make it, or name another as the workspace.';
  throw settingsInvalid([{ where: cwd, problem }]);
}

function findProject(
  { flags, installFolder }: LoadOptions,
  { configDir }: Places,
  workspace: string,
): { project: Project; problems: Problem[] } {
  const isOwn = installFolder !== undefined && realpathSync(installFolder) === workspace;
  const accepted = acceptedFiles(configDir, workspace);
  const project = scanProject(workspace, accepted.files, isOwn);
  return {
    project: flags?.['trustProject'] === true ? trustAll(project) : project,
    problems: accepted.problem ? [accepted.problem] : [],
  };
}

const WHOLE_MACHINE =
  'The workspace is "/", all of this machine: capsules may read in it what you can read. Name the folder that the task is about.';

function personNotices({ values, winners }: Resolved, places: Places): string[] {
  const short = settingNames.filter((name) => {
    const raw = settingOf(name).isSecret ? winners.get(name)?.raw : undefined;
    return typeof raw === 'string' && raw.trim().length < 16 && !isForThisMachine(name, values);
  });
  return [
    ...(process.getuid?.() === 0 ? [ROOT_NOTICE] : []),
    ...findOpenPlaces(places),
    ...short.map(
      (name) =>
        `${name} has less than 16 characters, so it is not hidden in answers of tools and models.`,
    ),
  ];
}

/** Whether a key is sent only to a server on this machine, as the dummy keys of local servers are. */
function isForThisMachine(name: SettingName, values: SettingValues): boolean {
  const [vendor] = keySettings.find(([, key]) => key === name) ?? [];
  if (vendor === undefined) return false;
  const given = (setting: string) => values[setting as SettingName];
  const chosen = values.CAPSTAN_PROVIDER ?? keySettings.find(([, key]) => given(key))?.[0];
  const own = given(vendors[vendor].addressSetting);
  return isLoopback(String((chosen === vendor && values.CAPSTAN_BASE_URL) || own));
}

/** Settings among the parsed options of a command; other options are left alone. */
function readFlags(options: Readonly<Record<string, unknown>>, cwd: string): Source {
  const givens = settingNames.flatMap((name): Given[] => {
    const { option } = settingOf(name);
    if (option === undefined || !Object.hasOwn(options, option)) return [];
    const value = options[option];
    if (value === undefined) return [];
    return [
      { name, raw: String(value), layer: 'flag', spelled: option, file: undefined, folder: cwd },
    ];
  });
  return { givens, problems: [], notices: [] };
}

interface Surroundings extends Pick<Settings, 'places' | 'workspace'> {
  readonly home: string;
  readonly runBudgetSetByPerson: boolean;
}

/** The product's terms for the names that people write. */
function toSettings(values: SettingValues, around: Surroundings): Settings {
  const { places, workspace, home } = around;
  const absolute = (paths: readonly string[]) =>
    paths.map((path) => expandPath(path, workspace, home));
  const fields = fieldsOf(values);
  return {
    ...fields,
    workspace,
    places,
    modelFallback: fields.modelFallback.map(toFallback),
    budget: { ...fields.budget, runMicroUsdSetByPerson: around.runBudgetSetByPerson },
    sandboxRead: absolute(fields.sandboxRead),
    openPaths: absolute(fields.openPaths),
  };
}

/** Each value at its field: `budget.runTokens` is a member of `budget`. */
function fieldsOf(values: SettingValues): FieldSettings {
  const fields: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { field } = settingOf(name);
    const [group = '', member] = field?.split('.') ?? [];
    if (field === undefined) continue;
    fields[group] =
      member === undefined
        ? values[name]
        : { ...(fields[group] as object), [member]: values[name] };
  }
  return fields as unknown as FieldSettings;
}

function toFallback(written: string): Settings['modelFallback'][number] {
  const [provider, ...model] = written.split(':');
  return { provider: provider as VendorName, model: model.join(':') };
}
