import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { maskSecret, showValue } from '../../../config/mask.ts';
import { makePlaces } from '../../../config/places.ts';
import { type SettingName, settingOf } from '../../../config/setting-table.ts';
import type { Layer, LoadedSettings } from '../../../config/settings.ts';
import { editEnv, editYaml } from '../../../config/yaml/edit-settings.ts';
import { readYaml } from '../../../config/yaml/read-yaml.ts';
import { readTextFile } from '../../../config/yaml/text-file.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import { isInside } from '../../../platform/files/inside.ts';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { tryOr } from '../../../platform/try-or.ts';
import type { AppContext } from '../../context/open-context.ts';
import {
  assertSelection,
  type DesiredSettings,
  desiredSettings,
  type SetupSelection,
} from './desired-settings.ts';
import { defaultsOf } from './list-served.ts';

/** One setting before and after. */
export interface SettingChange {
  /** Absolute. */
  readonly file: string;
  /** Its name in the file: `model.fast`, `OPENAI_API_KEY`. */
  readonly setting: string;
  /** Null if it is not there. A key is masked. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The proposed content, without keys. */
export interface SetupProposal {
  /** Empty if everything is as chosen already. */
  readonly changes: readonly SettingChange[];
  /** Sources that override the changes. */
  readonly overrides: readonly SetupOverride[];
}

/** The changes of a file, and its next text. */
interface Draft {
  readonly changes: readonly SettingChange[];
  readonly file: SettingsFile;
  readonly text: string;
}

/** Implements `setup.propose`. */
export async function proposeChanges(context: AppContext, selection: SetupSelection) {
  assertSelection(selection);
  const { key, provider } = selection;
  if (key !== undefined) context.redactor.add([key]);
  const loaded = await context.settings({});
  const { configDir } = context.places;
  const defaults = provider === 'none' ? undefined : defaultsOf({ provider });
  const desired = desiredSettings(selection, defaults);
  const yaml = await draftYaml(join(configDir, 'config.yaml'), desired.yaml);
  const env = desired.key && draftEnv(join(configDir, '.env'), desired.key);
  const drafts = [yaml, env ?? []].flat().filter(({ changes }) => changes.length > 0);
  for (const { file } of drafts) targetOf(file.path, loaded.settings.workspace);
  const proposal = {
    changes: drafts.flatMap(({ changes }) => changes),
    overrides: overridesOf(loaded, desired),
  };
  // The key first: without it, the rest would name a provider that can't be used.
  draftsOf.set(proposal, drafts.reverse());
  return proposal;
}

/** The content that each pending proposal would write. */
const draftsOf = new WeakMap<SetupProposal, readonly Draft[]>();

/** Checks every file before the first is written. */
export async function writeProposal(context: AppContext, proposal: SetupProposal): Promise<void> {
  const drafts = draftsOf.get(proposal);
  if (drafts === undefined) throw usage('Write a proposal that `propose` returned, once.');
  const { settings } = await context.settings({});
  makePlaces(context.places);
  for (const { file } of drafts) assertUnchanged(file);
  for (const { file, text } of drafts) writeSettingsFile(file, text, settings.workspace);
  context.forgetSettings();
  draftsOf.delete(proposal);
}

async function draftYaml(path: string, desired: ReturnType<typeof desiredSettings>['yaml']) {
  const file = readSettingsFile(path);
  const present = await yamlValues(file.path, file.text);
  const changes = [...desired].flatMap(([name, after]): SettingChange[] => {
    const before = present.get(name) ?? null;
    return before === after ? [] : [{ file: path, setting: yamlPathOf(name), before, after }];
  });
  const edits = new Map(changes.map(({ setting, after }) => [setting, after]));
  try {
    return { changes, file, text: await editYaml(file.text, edits) };
  } catch (error) {
    throw notWritten(
      path,
      `it can't be changed (${messageOf(error)}). Write the settings yourself`,
    );
  }
}

function draftEnv(path: string, { name, value }: { name: string; value: string }): Draft {
  const file = readSettingsFile(path);
  const before = parseEnv(file.text)[name];
  if (before === value) return { changes: [], file, text: file.text };
  const shown = { before: before ? maskSecret(before) : null, after: maskSecret(value) };
  try {
    const text = editEnv(file.text, name, value);
    return { changes: [{ file: path, setting: name, ...shown }], file, text };
  } catch (error) {
    throw notWritten(path, `${messageOf(error)}. Write the key yourself`);
  }
}

/** The settings in the text of a `config.yaml`, as written; lists joined by commas. */
async function yamlValues(path: string, text: string): Promise<ReadonlyMap<SettingName, string>> {
  const { givens } = await readYaml(path, text, 'person');
  return new Map(givens.map(({ name, raw }) => [name, [raw].flat().join(', ')]));
}

/** `model.fast` for `CAPSTAN_MODEL_FAST`. */
const yamlPathOf = (name: SettingName): string => settingOf(name).yaml ?? name;

/** A value that wins over one that setup writes. */
export interface SetupOverride {
  /** The setting: `CAPSTAN_PROVIDER`, `OPENAI_API_KEY`. */
  readonly setting: string;
  readonly layer: Layer;
  /** The variable, or the file with its line. */
  readonly source: string;
  /** A key is masked. */
  readonly value: string;
}

/** Conflicting values in the environment, the project's file or the user's `.env`. */
function overridesOf({ origins, settings }: LoadedSettings, { yaml, key }: DesiredSettings) {
  const wanted: readonly [SettingName, string | null][] = [
    ...yaml,
    ...(key ? [[key.name, key.value] as [SettingName, string]] : []),
  ];
  const configFile = join(settings.places.configDir, 'config.yaml');
  const envFile = join(settings.places.configDir, '.env');
  return wanted.flatMap(([name, value]): SetupOverride[] => {
    const origin = origins.get(name);
    if (!origin || origin.layer === 'default') return [];
    const { layer, source, shown } = origin;
    const isReplaced =
      source.startsWith(`${configFile}:`) || (key?.name === name && source === envFile);
    if (isReplaced || shown === showValue(value ?? '', settingOf(name).isSecret)) return [];
    return [{ setting: name, layer, source, value: shown }];
  });
}

/** A file of the user's settings folder that is about to be changed. */
interface SettingsFile {
  /** As the user knows it, absolute. */
  readonly path: string;
  /** Empty if there is no file yet. */
  readonly text: string;
}

/** @throws AppError `SETTINGS_NOT_WRITTEN` if it can't be read. */
function readSettingsFile(path: string): SettingsFile {
  const file = readTextFile(path, undefined, true);
  if (file && 'problem' in file) throw notWritten(path, file.problem.replace(/\.$/, ''));
  return { path, text: file?.text ?? '' };
}

/**
 * Atomically replaces the text that was read, with mode 0600. A link stays, and its target is written.
 *
 * @param workspace A link may not lead into it.
 * @throws AppError `SETTINGS_NOT_WRITTEN` if the file changed since, or must not be written; `PLACE_UNUSABLE`.
 */
function writeSettingsFile(file: SettingsFile, text: string, workspace: string): void {
  assertUnchanged(file);
  const target = targetOf(file.path, workspace);
  try {
    writePrivateFile(target, text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notWritten(file.path, messageOf(error));
  }
}

/** @throws AppError `SETTINGS_NOT_WRITTEN` if the file is not as it was read. */
function assertUnchanged({ path, text }: SettingsFile): void {
  if (readSettingsFile(path).text === text) return;
  throw notWritten(path, 'it changed since it was read. Start again to see what it holds now');
}

/** The path to write: the file itself, or the target of a link. */
function targetOf(path: string, workspace: string): string {
  const facts = tryOr(() => lstatSync(path), undefined);
  if (facts === undefined || facts.isFile()) return path;
  if (!facts.isSymbolicLink()) throw notWritten(path, 'it is not a file. Move it away');
  const target = tryOr(() => realpathSync(path), undefined);
  if (target === undefined)
    throw notWritten(path, 'it is a link to nothing. Remove it, or create its target');
  if (isInside(workspace, target))
    throw notWritten(path, `it is a link to ${target}, which is in the folder you work in`);
  const { uid } = statSync(target);
  const user = process.getuid?.();
  if (user !== undefined && uid !== user)
    throw notWritten(path, `it is a link to ${target}, which belongs to another user`);
  return target;
}

const notWritten = (path: string, problem: string): AppError =>
  new AppError('SETTINGS_NOT_WRITTEN', { path, problem });
