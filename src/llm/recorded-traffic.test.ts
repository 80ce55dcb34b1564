import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatResponse, Usage } from '../contract/wire/chat.ts';
import { type ChatResult, type ModelRequest, type Provider, ProviderError } from './provider.ts';
import { createProvider as createAnthropic } from './providers/anthropic.ts';
import { createProvider as createGemini } from './providers/gemini.ts';
import { createProvider as createOllama } from './providers/ollama.ts';
import { createProvider as createOpenai } from './providers/openai.ts';

const folder = join(import.meta.dirname, '../../../shared/data/llm-traffic');
const isHere = existsSync(folder);

interface Exchange {
  readonly provider: string;
  readonly tags: readonly string[];
  readonly request: {
    readonly path: string;
    readonly body: { readonly response_format?: { type?: string } };
  } | null;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    // biome-ignore lint/suspicious/noExplicitAny: recorded bodies of many shapes.
    readonly body?: any;
    readonly body_text?: string;
  };
  readonly note: string | null;
}

const exchanges = isHere
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({
        name: name.replace('.json', ''),
        exchange: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Exchange,
      }))
  : [];

type Wire = 'openai' | 'anthropic' | 'gemini' | 'ollama';

/** Which of our wires an exchange is of; undefined for APIs that we do not speak (responses, generate). */
function wireOf({ provider, request }: Exchange): Wire | undefined {
  if (provider === 'openai-responses' || /\/responses$/.test(request?.path ?? '')) return undefined;
  if (/\/api\/generate$/.test(request?.path ?? '')) return undefined;
  if (provider === 'anthropic' || provider === 'gemini') return provider;
  return provider === 'ollama-native' ? 'ollama' : 'openai';
}

const ours = exchanges.filter(({ exchange }) => wireOf(exchange) !== undefined);
const foreign = exchanges.filter(({ exchange }) => wireOf(exchange) === undefined);

const create: Record<Wire, (baseUrl: string) => Provider> = {
  openai: (baseUrl) => createOpenai({ baseUrl, apiKey: 'key' }),
  anthropic: (baseUrl) => createAnthropic({ baseUrl, apiKey: 'key' }),
  gemini: (baseUrl) => createGemini({ baseUrl, apiKey: 'key' }),
  ollama: (baseUrl) => createOllama({ baseUrl }),
};

/** How an answer travels. `write` is applied to streams. */
interface Form {
  readonly bytesPerWrite: number;
  write(stream: string): string;
}
const plain = (stream: string) => stream;
const isSse = (stream: string) => /^(data|event|:)/.test(stream.trimStart());
const forms: Readonly<Record<string, Form>> = {
  'as a whole': { bytesPerWrite: 1 << 30, write: plain },
  'in one byte per write': { bytesPerWrite: 1, write: plain },
  'with CRLF': { bytesPerWrite: 7, write: (stream) => stream.replace(/\r?\n/g, '\r\n') },
  'with comment lines': {
    bytesPerWrite: 1_000,
    write: (stream) =>
      isSse(stream) ? stream.replace(/^(?=data:)/gm, ': keep-alive\n\n: é\n') : stream,
  },
  'without the blank line at its end': { bytesPerWrite: 100, write: (stream) => stream.trimEnd() },
};
const inPieces: Form = { bytesPerWrite: 1_000, write: plain };

let form = inPieces;
let current: Exchange['response'] | undefined;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { 'transfer-encoding': _, ...headers } = current?.headers ?? {};
    const text = current?.body_text;
    const body = text === undefined ? JSON.stringify(current?.body) : asStream(text);
    const type = text === undefined ? 'application/json' : 'text/event-stream';
    response.writeHead(current?.status ?? 500, { 'content-type': type, ...headers });
    const bytes = Buffer.from(text === undefined ? body : form.write(body));
    for (let start = 0; start < bytes.length; start += form.bytesPerWrite) {
      response.write(bytes.subarray(start, start + form.bytesPerWrite));
    }
    response.end();
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

/** Some recordings have lost the prefix of their events. */
const asStream = (text: string): string =>
  text.startsWith('{')
    ? text
        .split('\n')
        .map((line) => `data: ${line}\n\n`)
        .join('')
    : text;

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Recorded.' }],
  hint: 'balanced',
};

async function replay(exchange: Exchange): Promise<ChatResult | ProviderError> {
  current = exchange.response;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = create[wireOf(exchange) ?? 'openai'](origin);
  try {
    return await provider.chat(request, new AbortController().signal);
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  } finally {
    provider.close();
  }
}

/** What came out, without ids that we make ourselves. */
const comparable = (outcome: ChatResult | ProviderError): string =>
  outcome instanceof ProviderError
    ? `${outcome.problem} ${outcome.message.replace(/127\.0\.0\.1:\d+/, 'host')}`
    : JSON.stringify(outcome).replace(/call_[0-9a-f]{8}-[-0-9a-f]{27}/g, 'call_ours');

async function replayNumber(number: string): Promise<ChatResult | ProviderError> {
  const found = ours.find(({ name }) => name.startsWith(`${number}-`));
  if (found === undefined) throw new Error(`There is no exchange ${number} of ours.`);
  return replay(found.exchange);
}

describe.skipIf(!isHere)('recorded traffic (skipped where ../shared/data is absent)', () => {
  it('contains exchanges of each wire that Capstan supports, and of others (responses, generate)', () => {
    expect(new Set(ours.map(({ exchange }) => wireOf(exchange)))).toEqual(
      new Set(['openai', 'anthropic', 'gemini', 'ollama']),
    );
    expect(ours.length).toBeGreaterThan(60);
    for (const { name } of foreign) expect(name).toMatch(/responses|ollama-native|deepseek|xai/);
  });

  it.each(ours)('$name is parsed correctly', async ({ exchange }) => {
    const outcome = await replay(exchange);
    const { status } = exchange.response;
    if (status >= 300) {
      expect(outcome).toBeInstanceOf(ProviderError);
      expect(outcome).toMatchObject(expectedFailure(exchange));
      return;
    }
    if (outcome instanceof ProviderError) throw outcome;
    expectResponse(outcome.response, exchange.tags);
    expectUsage(outcome.usage, exchange.tags);
  });

  it.each(Object.keys(forms))('every exchange is read alike %s', async (name) => {
    const differing: string[] = [];
    for (const { name: exchangeName, exchange } of ours) {
      form = inPieces;
      const expected = comparable(await replay(exchange));
      form = forms[name] ?? inPieces;
      const actual = comparable(await replay(exchange).finally(() => (form = inPieces)));
      if (actual !== expected) differing.push(`${exchangeName}: ${actual} instead of ${expected}`);
    }
    expect(differing).toEqual([]);
  });

  function expectResponse(response: ChatResponse, tags: readonly string[]): void {
    const calls = response.tool_calls;
    expect(response.finish).toBe(expectedFinish(tags));
    expect(response.model).not.toBe('');
    if (/stop|refusal/.test(response.finish)) expect(response.text).not.toBe('');
    if (response.finish === 'tool_calls') expect(calls.length).toBeGreaterThan(0);
    if (tags.includes('parallel-tool-calls')) expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  }

  function expectedFinish(tags: readonly string[]): ChatResponse['finish'] {
    if (tags.includes('refusal')) return 'refusal';
    if (tags.includes('max-tokens')) return 'length';
    const called = tags.includes('tool-call') || tags.includes('parallel-tool-calls');
    return called ? 'tool_calls' : 'stop';
  }

  function expectUsage(usage: Usage, tags: readonly string[]): void {
    if (tags.includes('cached-tokens')) expect(usage.cached_input_tokens).toBeGreaterThan(0);
    expect(usage.input_tokens).toBeGreaterThanOrEqual(usage.cached_input_tokens);
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBeGreaterThan(0);
  }

  function expectedFailure({ tags, response }: Exchange): Partial<ProviderError> {
    const { status } = response;
    if (tags.includes('invalid-key')) return { problem: 'auth', retryable: false };
    if (tags.includes('context-length') || tags.includes('request-too-large')) {
      return { problem: 'too_large', retryable: false, status };
    }
    if (tags.includes('overloaded')) return { problem: 'overloaded', retryable: true, status };
    if (tags.includes('rate-limit')) return { problem: 'rate_limit', retryable: true, status };
    if (status === 404) return { problem: 'not_found', retryable: false, status };
    return { problem: 'bad_request', retryable: false, status };
  }

  it.each([
    ['001', ['get_current_weather', 'get_current_weather'], [75, 0, 51]],
    ['006', [], [4020, 4012, 4]],
    ['013', ['final_result'], [215, 0, 566]],
    ['025', [], [14640, 14210, 290]],
    ['029', ['get_exchange_rate'], [1591, 0, 175]],
    ['034', ['get_weather', 'get_time'], [514, 0, 165]],
    ['043', ['generate_topic', 'generate_topic', 'generate_topic'], [83, 0, 220]],
    ['046', [], [34, 0, 1256]],
    ['050', [], [3520, 3512, 44]],
    ['053', [], [44, 0, 113]],
    ['066', [], [18, 0, 73]],
    ['078', [], [687, 679, 187]],
    ['106', ['weather'], [339, 320, 83]],
  ] as const)(
    'exchange %s calls %j and used %j tokens (input, cached, output)',
    async (number, names, tokens) => {
      const outcome = await replayNumber(number);
      if (outcome instanceof ProviderError) throw outcome;
      const { response, usage } = outcome;
      expect(response.tool_calls.map(({ name }) => name)).toEqual(names);
      expect([usage.input_tokens, usage.cached_input_tokens, usage.output_tokens]).toEqual(tokens);
    },
  );

  it.each([
    ['039', 48_000],
    ['098', 34_400],
    ['113', 26_604],
    ['114', 644],
  ])('exchange %s says to wait %i ms', async (number, waitMs) => {
    expect(await replayNumber(number)).toMatchObject({
      problem: 'rate_limit',
      retryAfterMs: waitMs,
    });
  });

  it('leaves the thoughts of a model out of its answer', async () => {
    const outcome = (await replayNumber('046')) as ChatResult;
    expect(outcome.response.text).not.toContain('Clarifying User Goals');
    const compatible = (await replayNumber('058')) as ChatResult;
    expect(compatible.response.text).toMatch(/^The dice rolls/);
  });
});
