import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { maskSecret, showValue } from '../../../config/mask.ts';
import { makePlaces } from '../../../config/places.ts';
import { type SettingName, settingOf } from '../../../config/setting-table.ts';
import type { Layer, LoadedSettings } from '../../../config/settings.ts';
import { editEnv, editYaml } from '../../../config/yaml/edit-settings.ts';
import { readYaml } from '../../../config/yaml/read-yaml.ts';
import { messageOf } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import type { AppContext } from '../../context/open-context.ts';
import {
  assertSelection,
  type DesiredSettings,
  desiredSettings,
  type SetupSelection,
} from './desired-settings.ts';
import { defaultsOf } from './list-served.ts';
import {
  assertUnchanged,
  notWritten,
  readSettingsFile,
  type SettingsFile,
  targetOf,
  writeSettingsFile,
} from './settings-file.ts';

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
export type SetupProposal = Awaited<ReturnType<typeof proposeChanges>>;

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
    /** Empty if everything is as chosen already. */
    changes: drafts.flatMap(({ changes }) => changes),
    /** Sources that override the changes. */
    overrides: overridesOf(loaded, desired),
  };
  // The key first: without it, the rest would name a provider that can't be used.
  draftsOf.set(proposal, drafts.reverse());
  return proposal;
}

/** The content that each pending proposal would write. */
const draftsOf = new WeakMap<object, readonly Draft[]>();

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
