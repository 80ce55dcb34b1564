import { keySettings, type ProviderName, vendors } from '../contract/vendors.ts';
import { isLoopback } from '../platform/loopback.ts';
import { createHttpClient } from './http/http.ts';
import type { ProviderSettings } from './providers.ts';

export interface ProviderChoice {
  readonly name: ProviderName;
  /** For the person, at the start of a run. */
  readonly why: string;
  /** A setting that has no effect, and what it lacks. */
  readonly notice?: string;
}

/** How long a server on this machine has to answer, in milliseconds. */
const waitMs = 50;

/**
 * The provider of a run: the setting, else the first vendor whose key is set, else an OpenAI-compatible server that is set
 * on loopback (it needs no key), else an Ollama on loopback that answers, else `offline`.
 */
export async function chooseProvider(
  facts: Pick<ProviderSettings, 'keys' | 'baseUrl' | 'baseUrls'> & {
    /** Flag or setting. */
    readonly provider?: ProviderName | undefined;
  },
): Promise<ProviderChoice> {
  if (facts.provider !== undefined) return { name: facts.provider, why: 'as set' };
  const keyed = keySettings.find(([name]) => facts.keys[name]);
  if (keyed !== undefined) return { name: keyed[0], why: `${keyed[1]} is set` };
  return chooseServer(facts);
}

/** Among the servers that need no key. */
async function chooseServer({
  baseUrl,
  baseUrls,
}: Pick<ProviderSettings, 'baseUrl' | 'baseUrls'>): Promise<ProviderChoice> {
  // The set address counts for every provider.
  const ollama = baseUrl || (baseUrls?.ollama ?? vendors.ollama.address);
  const isOllama = { name: 'ollama', why: `Ollama answers at ${ollama}` } as const;
  if (baseUrl && (await ollamaAnswers(ollama))) return isOllama;
  const server = baseUrl || baseUrls?.openai;
  const from = baseUrl ? 'CAPSTAN_BASE_URL' : vendors.openai.addressSetting;
  if (server !== undefined && isLoopback(server))
    return { name: 'openai', why: `${from} is on this machine` };
  const notice = server && { notice: `${from} is not used: ${LACKS_KEY}.` };
  if (await ollamaAnswers(ollama)) return { ...isOllama, ...notice };
  const why = 'no API key is set and no Ollama answers on this machine';
  return { name: 'offline', why, ...notice };
}

const LACKS_KEY = `set ${vendors.openai.keySetting}, or CAPSTAN_PROVIDER=openai for a server without a key`;

/** Whether an Ollama on this machine answers within 50 ms; false for any other address, without a request. */
export async function ollamaAnswers(baseUrl: string): Promise<boolean> {
  if (!isLoopback(baseUrl)) return false;
  const http = createHttpClient({ baseUrl, timeoutMs: waitMs, maxBytes: 4_096 });
  try {
    const answer = await http.get('/api/version', new AbortController().signal);
    return answer.status === 200 && (await answer.text(4_096)).includes('"version"');
  } catch {
    return false;
  } finally {
    http.close();
  }
}
