import { join } from 'node:path';
import { maskSecret } from '../../config/mask.ts';
import type { Settings } from '../../config/settings.ts';
import { messageOf } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn, fail } = checksOf('models');

/** The embedder in the settings can be used. */
export async function checkEmbedder(settings: Settings, packageDir: string): Promise<Check> {
  const name = 'embedder';
  if (settings.embedder === 'minilm') return checkMiniLm(settings);
  try {
    const { openStaticEmbedder } = await import('../../embeddings/static-table.ts');
    const table = await openStaticEmbedder(join(packageDir, 'models/static-en-256'));
    await table.embed(['slow requests in a log']);
    await table.close();
    return ok(name, `${table.name}, version ${table.version}`);
  } catch (error) {
    return fail(name, messageOf(error), 'Install Capstan again: its folder models/ is incomplete.');
  }
}

async function checkMiniLm({ modelDir, places }: Settings): Promise<Check> {
  const { downloadFolder, findModelFolder } = await import('../../embeddings/model-folder.ts');
  const name = 'embedder';
  const folder = [modelDir, downloadFolder(places.cacheDir)]
    .filter((dir) => dir !== undefined)
    .map(findModelFolder)
    .find((found) => found !== undefined);
  if (folder) return ok(name, `all-MiniLM-L6-v2 in ${folder}`);
  return modelDir === undefined
    ? {
        ...warn(
          name,
          'all-MiniLM-L6-v2 is not downloaded yet',
          'Download it, or set CAPSTAN_EMBEDDER=static.',
        ),
        next: 'download_model',
      }
    : fail(
        name,
        `all-MiniLM-L6-v2 is not in ${modelDir}`,
        'Correct CAPSTAN_MODEL_DIR, or set CAPSTAN_EMBEDDER=static.',
      );
}

/** Which keys are set, whether Ollama answers, and which provider a run would use. */
export async function checkProviders(settings: Settings): Promise<Check[]> {
  const keys = Object.entries(settings.keys).map(([vendor, key]) =>
    ok(`${vendor} key`, key === undefined ? 'not set' : `set (${maskSecret(key)})`),
  );
  const models = await ollamaModels(settings.baseUrls.ollama);
  const hasKey = Object.values(settings.keys).some((key) => key !== undefined);
  return [...keys, describeOllama(settings, models), describeChoice(settings, hasKey, models)];
}

type Models = readonly string[] | Error | undefined;

/** The models of an Ollama on this machine, or why it does not answer; undefined if it is on another one: not asked. */
async function ollamaModels(baseUrl: string | undefined): Promise<Models> {
  const { installedModels, ollamaBaseUrl } = await import('../../llm/providers/ollama.ts');
  const { isLoopback } = await import('../../llm/loopback.ts');
  const url = baseUrl ?? ollamaBaseUrl;
  if (!isLoopback(url)) return undefined;
  try {
    return await installedModels({ baseUrl: url }, AbortSignal.timeout(1_000));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function describeOllama({ provider, baseUrls }: Settings, models: Models): Check {
  const name = 'Ollama';
  const pull = 'Get a model with `ollama pull <model>`.';
  if (models === undefined) return ok(name, `${baseUrls.ollama} is not on this machine: not asked`);
  if (!(models instanceof Error))
    return models.length > 0
      ? ok(name, `answers: ${printable(models.slice(0, 5).join(', '))}`)
      : warn(name, 'answers, but has no models', pull);
  return provider === 'ollama'
    ? fail(name, `does not answer: ${models.message}`, `Start it with \`ollama serve\`. ${pull}`)
    : ok(name, 'does not answer (only needed as the provider)');
}

function describeChoice({ provider, keys }: Settings, hasKey: boolean, models: Models): Check {
  const name = 'provider';
  if (provider === 'offline' || provider === 'ollama') return ok(name, `${provider}, as set`);
  if (provider !== undefined)
    return keys[provider] === undefined
      ? warn(
          name,
          `${provider}, as set, but without a key`,
          `Set ${provider.toUpperCase()}_API_KEY, unless its server needs none.`,
        )
      : ok(name, `${provider}, as set`);
  const first = (['openai', 'anthropic', 'gemini'] as const).find((vendor) => keys[vendor]);
  if (hasKey && first) return ok(name, `${first}, since its key is set`);
  if (models && !(models instanceof Error)) return ok(name, 'ollama, since it answers');
  return warn(
    name,
    'offline: explicit instructions are carried out, open tasks are not',
    'Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama.',
  );
}
