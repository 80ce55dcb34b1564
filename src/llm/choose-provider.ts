import { keySettings, type ProviderName, vendors } from '../contract/vendors.ts';
import { createHttpClient } from './http/http.ts';
import { isLoopback } from './http/loopback.ts';
import type { ProviderKeys } from './providers.ts';

export interface ProviderChoice {
  readonly name: ProviderName;
  /** For the person, at the start of a run. */
  readonly why: string;
}

const ollamaWaitMs = 50;

/** The provider of a run: the setting, else the first vendor whose key is set, else an Ollama on loopback that answers, else `offline`. */
export async function chooseProvider(facts: {
  /** Flag or setting. */
  readonly setting?: ProviderName | undefined;
  readonly keys: ProviderKeys;
  /** Default: Ollama's own. */
  readonly ollamaBaseUrl?: string | undefined;
}): Promise<ProviderChoice> {
  if (facts.setting !== undefined) return { name: facts.setting, why: 'as set' };
  const keyed = keySettings.find(([name]) => facts.keys[name]);
  if (keyed !== undefined) return { name: keyed[0], why: `${keyed[1]} is set` };
  const ollama = facts.ollamaBaseUrl ?? vendors.ollama.address;
  if (await ollamaAnswers(ollama)) {
    return { name: 'ollama', why: `Ollama answers at ${ollama}` };
  }
  return { name: 'offline', why: 'no API key is set and no Ollama answers on this machine' };
}

/** Whether an Ollama on this machine answers within 50 ms; false for any other address, without a request. */
export async function ollamaAnswers(baseUrl: string): Promise<boolean> {
  if (!isLoopback(baseUrl)) return false;
  const http = createHttpClient({ baseUrl, timeoutMs: ollamaWaitMs, maxBytes: 4_096 });
  try {
    const answer = await http.get('/api/version', new AbortController().signal);
    return answer.status === 200 && (await answer.text(4_096)).includes('"version"');
  } catch {
    return false;
  } finally {
    http.close();
  }
}
