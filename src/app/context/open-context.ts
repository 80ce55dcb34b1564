import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { installFolder } from '../../config/files/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { findPlaces, makePlaces } from '../../config/places.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import { readTextFile } from '../../config/yaml/text-file.ts';
import { AppError } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { createEventBus } from '../../events/bus.ts';
import { tryOr } from '../../platform/try-or.ts';
import {
  createRedactor,
  type GrowingRedactor,
  noSecrets,
  type Redactor,
} from '../../policy/secrets/redact.ts';
import { openConfiguredApis } from '../wiring/models/open-configured-apis.ts';

/** The context that the functions of the API share. One per process. */
export type AppContext = Awaited<ReturnType<typeof openContext>>;

/**
 * Finds the user's folders and secrets. Reads settings; writes nothing and opens no database.
 *
 * @throws AppError `USAGE` if an option is missing or of the wrong kind.
 */
export async function openContext(options: OpenOptions) {
  assertOptions(options);
  const { env: environment, cwd, now = () => new Date() } = options;
  const places = findPlaces(environment, cwd);
  const redactor = createRedactor();
  const load = async (flags: SettingsOverrides): Promise<LoadedSettings> => {
    const own = { environment: { ...environment }, cwd, installFolder: installFolder() };
    const loading = loadSettings({ flags, ...own });
    await addSecrets(redactor, loading, { environment, configDir: places.configDir });
    return loading;
  };
  let plain: Promise<LoadedSettings> | undefined;
  const settings = (overrides?: SettingsOverrides): Promise<LoadedSettings> => {
    if (overrides !== undefined) return load(overrides);
    plain ??= load({}).catch((error: unknown) => {
      plain = undefined;
      throw error;
    });
    return plain;
  };
  await settings().catch(() => undefined);
  const ends: (() => void | Promise<void>)[] = [];
  let opened: Promise<Stores> | undefined;
  const open = async (): Promise<Stores> => {
    const { openStores } = await import('../../coordinator/store/open-stores.ts');
    makePlaces(places);
    return openStores(places.stateDir, { now, redactor });
  };
  const closeAll = async () => {
    try {
      for (const end of ends.splice(0).reverse()) await end();
    } finally {
      const stores = await opened?.catch(() => undefined);
      stores?.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    /** Passed by the surface; nothing below reads the process. */
    environment,
    /** The base of relative paths, and the default workspace. Absolute. */
    cwd,
    places,
    /** Removes the known secrets of this user from everything that is stored or reported. */
    redactor,
    presence: neverThrowing(options.presence),
    /** The events of all runs of this process. */
    events: createEventBus(now, { clean: redactor.redact }),
    now,
    /**
     * The settings in force with these overrides. Without overrides, they are loaded once. The redactor knows their
     * secrets from then on.
     *
     * @throws AppError `SETTINGS_INVALID`.
     */
    settings,
    /** The next call of `settings` without overrides loads them again. */
    forgetSettings() {
      plain = undefined;
    },
    /**
     * The user's database, opened at the first call and closed by `close`.
     *
     * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`; `CAPSTAN_CLOSED` after `close`.
     */
    async stores(): Promise<Stores> {
      if (closing !== undefined) throw new AppError('CAPSTAN_CLOSED', {});
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    /** Registers work for `close`, in reverse order of registration. */
    onClose: (end: () => void | Promise<void>) => void ends.push(end),
    /** Runs the registered callbacks, then closes the database. Every call returns the same promise. */
    close(): Promise<void> {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** If it throws, nobody can answer. */
const neverThrowing =
  (presence: Presence = () => false): Presence =>
  (run) =>
    tryOr(() => presence(run), false);

/** Programs without types get an error that names the option. */
function assertOptions({ env, cwd }: Partial<OpenOptions> = {}): void {
  if (typeof env !== 'object' || env === null)
    throw usage('openCapstan needs `env`: the environment, such as process.env.', 'env');
  if (typeof cwd === 'string' && isAbsolute(cwd)) return;
  const problem = `openCapstan needs \`cwd\`: an absolute path, such as process.cwd(), not ${JSON.stringify(cwd)}.`;
  throw usage(problem, 'cwd');
}

/**
 * Opens databases in temporary folders, such as a replay's or a trial's.
 *
 * @param redactor Default: none, for data that is redacted already.
 */
export async function temporaryStores(redactor: Redactor = noSecrets) {
  const { openStores } = await import('../../coordinator/store/open-stores.ts');
  return (dir: string) => openStores(dir, { redactor });
}

/**
 * Adds the keys of model vendors and the credentials of services, from the environment and the user's files, and the headers
 * that are sent to a collector of traces. If the
 * settings or services can't be read: the value of every variable, of the environment and the user's `.env`, whose name
 * ends in KEY, TOKEN, SECRET or PASSWORD.
 */
async function addSecrets(
  redactor: GrowingRedactor,
  loading: Promise<LoadedSettings>,
  { environment, configDir }: { readonly environment: Environment; readonly configDir: string },
): Promise<void> {
  if (Object.keys(environment).some((name) => /^OTEL_.*_HEADERS$/.test(name))) {
    const { otelSecrets } = await import('../../telemetry/otel-variables.ts');
    redactor.add(otelSecrets(environment));
  }
  try {
    const loaded = await loading;
    redactor.add(Object.values(loaded.settings.keys).filter((key) => key !== undefined));
    const { services } = await openConfiguredApis(loaded.settings, environment);
    redactor.add(services.flatMap(({ credential }) => credential?.secret ?? []));
  } catch {
    const own = readTextFile(join(configDir, '.env'));
    const variables = own && 'text' in own ? parseEnv(own.text) : {};
    redactor.add([...namedLikeSecrets(environment), ...namedLikeSecrets(variables)]);
  }
}

const namedLikeSecrets = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, value = '']) =>
    /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [value] : [],
  );

export type Environment = Readonly<Record<string, string | undefined>>;

/** The run that `presence` is asked about. */
export interface PresentRun {
  readonly id: string;
  readonly workspace: string;
}

/** Whether someone can answer questions of this run now. Called each time a question opens; if it throws, nobody can. */
export type Presence = (run: PresentRun) => boolean;

/**
 * Overrides of settings, as the options of a command are named: `provider`, `model`, `budgetUsd`, `approveMode`,
 * `timeout`, `requireIsolation`, `workspace`, and `trustProject`. They win over every file and the environment.
 * `runs.start` and `runs.resume` refuse any other name.
 */
export type SettingsOverrides = Readonly<Record<string, unknown>>;

export interface OpenOptions {
  /** The environment: settings, keys and folders are taken from it. Nothing else of the process is read. */
  readonly env: Environment;
  /** The workspace by default, and what relative paths are relative to. Absolute. */
  readonly cwd: string;
  /** Default: nobody can answer. */
  readonly presence?: Presence | undefined;
  readonly now?: (() => Date) | undefined;
}
