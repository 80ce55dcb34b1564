import { type BreakerRow, createBreakerStore } from '../../../broker/money/breaker-store.ts';
import { maskSecret } from '../../../config/mask.ts';
import type { Settings } from '../../../config/settings.ts';
import { asError, failedWith, messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { GET_A_MODEL, vendors } from '../../../contract/vendors.ts';
import type { ProviderChoice } from '../../../llm/choose-provider.ts';
import type { AppContext } from '../../context/open-context.ts';
import { openOwnEmbedder } from '../../wiring/models/open-own-embedder.ts';
import { type Check, checksOf } from './check.ts';
import { readDatabase } from './read-database.ts';

const { ok, warn, fail } = checksOf('models');

/** Which keys are set, whether Ollama answers, and whether the provider that a run would use can be opened. */
export async function checkProviders(settings: Settings): Promise<Check[]> {
  const { chooseProvider } = await import('../../../llm/choose-provider.ts');
  const keys = Object.entries(settings.keys).map(([vendor, key]) =>
    ok(`${vendor} key`, key === undefined ? 'not set' : `set (${maskSecret(key)})`),
  );
  const choice = await chooseProvider(settings);
  const ollama = describeOllama(choice, settings, await ollamaModels(settings.baseUrls.ollama));
  const isReported = choice.name === 'ollama' && ollama.status === 'fail';
  const problem = isReported ? undefined : await problemOf(choice, settings);
  return [...keys, ollama, describeChoice(choice, settings, problem)];
}

/** Why a run can't use the provider; undefined if it can. Opens it as a run does. */
async function problemOf({ name }: ProviderChoice, settings: Settings) {
  const { openProvider } = await import('../../../llm/providers.ts');
  try {
    (await openProvider(name, settings)).close();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

type Models = readonly string[] | Error | undefined;

/** The models of an Ollama on this machine, or why it does not answer; undefined if it is on another one: not asked. */
async function ollamaModels(baseUrl: string | undefined): Promise<Models> {
  const { createProvider } = await import('../../../llm/providers/ollama.ts');
  const { isLoopback } = await import('../../../platform/loopback.ts');
  const url = baseUrl ?? vendors.ollama.address;
  if (!isLoopback(url)) return undefined;
  try {
    const provider = createProvider({ baseUrl: url });
    return (await provider.listModels(AbortSignal.timeout(1_000))).map(({ id }) => id);
  } catch (error) {
    return asError(error);
  }
}

function describeOllama({ name: chosen }: ProviderChoice, { baseUrls }: Settings, models: Models) {
  const name = 'Ollama';
  const pull = 'Get a model with `ollama pull <model>`.';
  if (models === undefined) return ok(name, `${baseUrls.ollama} is not on this machine: not asked`);
  if (!(models instanceof Error))
    return models.length > 0
      ? ok(name, `answers: ${printable(models.slice(0, 5).join(', '))}`)
      : warn(name, 'answers, but has no models', pull);
  return chosen === 'ollama'
    ? fail(name, `does not answer: ${models.message}`, `Start it with \`ollama serve\`. ${pull}`)
    : ok(name, 'does not answer (only needed as the provider)');
}

function describeChoice(
  { name: chosen, why, notice }: ProviderChoice,
  { provider }: Settings,
  problem: string | undefined,
): Check {
  const name = 'provider';
  if (problem !== undefined)
    return fail(
      name,
      `${chosen} can't be used: ${problem}`,
      'Correct it, or choose another provider with CAPSTAN_PROVIDER.',
    );
  if (provider !== undefined) return ok(name, `${provider}, as set`);
  if (chosen !== 'offline') return ok(name, `${chosen}, since ${why}`);
  const offline = 'offline: explicit instructions are carried out, open tasks are not';
  return warn(name, offline, notice ?? `${GET_A_MODEL}.`, 'setup');
}

/** Opens the embedder as a run does, and embeds a text. Downloads nothing. */
export async function checkEmbedder(settings: Settings): Promise<Check> {
  const name = 'embedder';
  try {
    const embedder = await openOwnEmbedder(settings, { mayDownload: false });
    try {
      await embedder.embed(['slow requests in a log']);
      return ok(name, `${embedder.name}, version ${embedder.version}`);
    } finally {
      await embedder.close();
    }
  } catch (error) {
    if (!failedWith(error, 'EMBEDDER_UNAVAILABLE')) return fail(name, messageOf(error), REINSTALL);
    const { embedder, problem, fix, isDownloadable } = error.details;
    const next = isDownloadable ? 'download_model' : undefined;
    return fail(name, `${embedder}: ${problem}`, fix, next);
  }
}

const REINSTALL = 'Install Capstan again: its folder models/ is incomplete.';

/** Models that are paused after failures. */
export async function checkBreakers(context: AppContext): Promise<Check[]> {
  const rows = await openBreakerRows(context);
  if (rows.length === 0) return [ok('breakers', 'no model is paused')];
  return rows.map(({ provider, model, failures, lastProblem }) => {
    const why = lastProblem ? `: ${lastProblem}` : '';
    const message = `${provider}/${model} is paused after ${failures} failures${why}`;
    return warn('breaker', printable(message, 300), undefined, 'reset_breaker');
  });
}

/** Read without writing. None if the settings are invalid. */
export async function openBreakerRows(context: AppContext): Promise<readonly BreakerRow[]> {
  const { settings } = (await context.settings().catch(() => undefined)) ?? {};
  const rows =
    settings &&
    readDatabase(context.places, (db) =>
      createBreakerStore(db, settings.breaker, context.now).list(),
    );
  return rows?.filter(({ state }) => state.kind === 'open') ?? [];
}
