import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/model-server/model-server.ts';
import { inOrder, type Script, type Vendor, vendors } from '../../test/model-server/script.ts';
import { boundUsage } from './answer/usage.ts';
import { isOutage, type ModelRequest, type Provider, ProviderError } from './provider.ts';
import { openProvider } from './providers.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function connect(
  vendor: Vendor,
  script: Script,
  modelTimeoutMs = 5_000,
): Promise<[Provider, ModelServer]> {
  const server = await startModelServer({ vendor, script });
  const settings = {
    keys: { [vendor]: 'the-key-0123456789' },
    baseUrl: server.baseUrl,
    models: { balanced: 'm' },
  };
  const provider = await openProvider(vendor, { ...settings, modelTimeoutMs });
  opened.push(
    () => server.close(),
    () => provider.close(),
  );
  return [provider, server];
}

const never = new AbortController().signal;
const request: ModelRequest = { messages: [{ role: 'user', content: 'Go.' }], hint: 'balanced' };
const sse = { 'content-type': 'text/event-stream' };

/** Text in place of a vendor's own answer. */
const replied: Record<Vendor, (message: object) => object> = {
  openai: (message) => ({ model: 'm', choices: [{ finish_reason: 'stop', message }] }),
  anthropic: (message) => ({ model: 'm', stop_reason: 'end_turn', ...message }),
  gemini: (message) => ({ candidates: [{ finishReason: 'STOP', content: message }] }),
  ollama: (message) => ({ model: 'm', done: true, message }),
};

describe.each(vendors)('%s', (vendor) => {
  it.each([
    ['no JSON', { status: 200, body: 'hello' }],
    ['a number', { status: 200, body: 42 }],
    ['a list', { status: 200, body: [] }],
    ['nothing of what is expected', { status: 200, body: { hello: 'world' } }],
    ['fields of other types', { status: 200, body: replied[vendor]({ content: 7, parts: 7 }) }],
    ['a stream of nonsense', { status: 200, headers: sse, body: 'data: {"a":\n\n' }],
    ['a stream of numbers', { status: 200, headers: sse, body: 'data: 1\n\ndata: 2\n\n' }],
    ['a compressed answer', { status: 200, headers: { 'content-encoding': 'gzip' }, body: {} }],
    ['an answer too long', { status: 200, body: 'x'.repeat(9 << 20) }],
    [
      'prototype pollution',
      { status: 200, body: '{"__proto__":{"choices":[1]},"constructor":{}}' },
    ],
  ])('answers with %s: an error that may be retried', async (_what, answer) => {
    const [provider] = await connect(vendor, () => answer);
    const error = await provider.chat(request, never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ problem: 'malformed', retryable: true });
  });

  it('breaks the connection, or says nothing: errors that may be retried', async () => {
    const [provider] = await connect(
      vendor,
      inOrder({ broken: 'reset' }, { broken: 'silent' }),
      150,
    );
    await expect(provider.chat(request, never)).rejects.toMatchObject({
      problem: 'network',
      retryable: true,
    });
    await expect(provider.chat(request, never)).rejects.toMatchObject({
      problem: 'timeout',
      retryable: true,
    });
  });

  it('is closed immediately when the call is aborted', async () => {
    const [provider] = await connect(vendor, () => ({ broken: 'silent' }));
    const stop = new AbortController();
    const call = provider.chat(request, stop.signal);
    setTimeout(() => stop.abort(new Error('cancelled')), 20);
    await expect(call).rejects.toThrow('cancelled');
  });

  it('sends its caller elsewhere: not followed, and the key stays', async () => {
    const [elsewhere, seen] = await connect(vendor, () => ({ text: 'stolen' }));
    elsewhere.close();
    const [provider] = await connect(vendor, () => ({
      status: 307,
      headers: { location: seen.baseUrl },
      body: '',
    }));
    await expect(provider.chat(request, never)).rejects.toMatchObject({ problem: 'bad_request' });
    expect(seen.chats).toHaveLength(0);
  });

  it('repeats the key in its error: ours does not', async () => {
    const [provider] = await connect(vendor, () => ({
      status: 400,
      body: { error: { message: 'bad the-key-0123456789' } },
    }));
    await expect(provider.chat(request, never)).rejects.toSatisfy(
      (error: Error) =>
        /bad \[key\]/.test(error.message) && !JSON.stringify(error).includes('the-key'),
    );
  });
});

describe('a reported usage', () => {
  const said = (usage: object) => ({
    status: 200,
    body: { choices: [{ finish_reason: 'stop', message: { content: 'Hello you.' } }], usage },
  });
  const ask = async (usage: object) => {
    const [provider] = await connect('openai', () => said(usage));
    return provider.chat(request, never);
  };

  it.each([
    { prompt_tokens: -5_000_000, completion_tokens: -200, total_tokens: -1 },
    { prompt_tokens: 7, completion_tokens: 5, total_tokens: -1 },
    { prompt_tokens: 7.5, completion_tokens: 5 },
    { prompt_tokens: 7, completion_tokens: 5, prompt_tokens_details: { cached_tokens: -3 } },
  ])('counts as none if it is impossible: %j', async (usage) => {
    expect(await ask(usage)).toMatchObject({
      usage: { input_tokens: 5, cached_input_tokens: 0, output_tokens: 3 },
      ...{ isEstimated: true, misreport: 'invalid' },
    });
  });

  it.each([
    '{"prompt_tokens":1e12,"completion_tokens":5e11}',
    '{"prompt_tokens":1e300,"completion_tokens":1e400}',
    '{"prompt_tokens":7,"completion_tokens":5,"total_tokens":5000000}',
    '{"prompt_tokens":9,"completion_tokens":95000}',
  ])('counts as the reserved maximum of the call if it is too large: %s', async (usage) => {
    const body = JSON.stringify(said({}).body).replace('"usage":{}', `"usage":${usage}`);
    const [provider] = await connect('openai', () => ({ status: 200, body }));
    expect(await provider.chat(request, never)).toMatchObject({
      usage: boundUsage(request),
      ...{ isEstimated: true, misreport: 'too_large' },
    });
  });

  it.each([
    ['reasons beyond its limit', { prompt_tokens: 9, completion_tokens: 40_000 }, [9, 40_000]],
    [
      'counts reasoning apart',
      { prompt_tokens: 9, completion_tokens: 5, total_tokens: 70 },
      [9, 61],
    ],
    ['adds instructions', { prompt_tokens: 25_000, completion_tokens: 5 }, [25_000, 5]],
    [
      'adds cached instructions',
      {
        ...{ prompt_tokens: 55_000, completion_tokens: 900 },
        prompt_tokens_details: { cached_tokens: 54_000 },
      },
      [55_000, 900],
    ],
  ])('counts if a server %s', async (_what, usage, [input_tokens, output_tokens]) => {
    const result = await ask(usage);
    expect(result).toMatchObject({ usage: { input_tokens, output_tokens } });
    expect(result).not.toHaveProperty('misreport');
  });
});

const call = (args: unknown, id = 'c') => ({ id, function: { name: 't', arguments: args } });
const reply = (message: object, finish = 'tool_calls') => ({
  status: 200,
  body: {
    model: 'm',
    choices: [{ finish_reason: finish, message }],
    usage: { prompt_tokens: 7, completion_tokens: 5 },
  },
});

describe('tool calls', () => {
  it.each([
    ['no name', [{ id: 'c', function: { name: '', arguments: '{}' } }]],
    ['a thousand calls', Array.from({ length: 1_000 }, (_, index) => call('{}', `c${index}`))],
  ])(
    'with %s are an error that may be retried, with the usage that was paid',
    async (_what, tool_calls) => {
      const [provider] = await connect('openai', () => reply({ content: null, tool_calls }));
      await expect(provider.chat(request, never)).rejects.toMatchObject({
        problem: 'malformed',
        usage: { input_tokens: 7, cached_input_tokens: 0, output_tokens: 5 },
      });
    },
  );

  it.each(['{"a":', '[1]', 'path a.md'])(
    'keep arguments that are not a JSON object, so that the model gets an error: %s',
    async (args) => {
      const [provider] = await connect('openai', () => reply({ tool_calls: [call(args)] }));
      const { response } = await provider.chat(request, never);
      expect(response.tool_calls).toEqual([{ id: 'c', name: 't', args: {}, invalid_args: args }]);
    },
  );

  it('get ids that are present and differ', async () => {
    const [provider] = await connect('openai', () =>
      reply({
        tool_calls: [call('{}'), call('{"a":1}'), call(undefined, ''), call({ b: 2 }, 'd')],
      }),
    );
    const { response } = await provider.chat(request, never);
    expect(response.tool_calls.map(({ args }) => args)).toEqual([{}, { a: 1 }, {}, { b: 2 }]);
    expect(new Set(response.tool_calls.map(({ id }) => id)).size).toBe(4);
    expect(response.tool_calls.every(({ id }) => id.length > 0)).toBe(true);
  });

  it('that were truncated are left out', async () => {
    const [provider] = await connect('openai', () =>
      reply({ content: 'I was', tool_calls: [call('{"a":1}', 'c1'), call('{"a', 'c2')] }, 'length'),
    );
    const { response } = await provider.chat(request, never);
    expect(response).toMatchObject({ finish: 'length', text: 'I was', tool_calls: [{ id: 'c1' }] });
  });
});

describe('an error in the middle of a good stream', () => {
  it.each([
    [
      'openai',
      'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"error":{"message":"The server had an error","type":"server_error"}}\n\n',
      'server',
    ],
    [
      'anthropic',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      'overloaded',
    ],
    [
      'gemini',
      'data: {"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}\n\n',
      'rate_limit',
    ],
  ] as const)('of %s is what it says', async (vendor, body, problem) => {
    const [provider] = await connect(vendor, () => ({ status: 200, headers: sse, body }));
    await expect(provider.chat(request, never)).rejects.toMatchObject({ problem, retryable: true });
  });

  it('of Ollama is what it says', async () => {
    const lines =
      '{"message":{"content":"a"},"done":false}\n{"error":"the model runner stopped"}\n';
    const [provider] = await connect('ollama', () => ({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines,
    }));
    await expect(provider.chat(request, never)).rejects.toMatchObject({ problem: 'server' });
  });

  it.each([
    ['before its end', 'data: {"choices":[{"delta":{"content":"half an ans"}}]}\n\n'],
    ['before its start', ''],
    [
      'inside an event',
      'data: {"choices":[{"delta":{"content":"half"}}]}\n\ndata: {"choices":[{"del',
    ],
    ['inside its first event', 'data: {"choices":[{"del'],
  ])('a stream that stops %s is an outage of the provider, not an answer', async (_when, body) => {
    const [provider] = await connect('openai', () => ({ status: 200, headers: sse, body }));
    const error = await provider.chat(request, never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problem: 'network', retryable: true });
    expect(isOutage(error)).toBe(true);
  });

  it('a stream of lines that stops inside one is an outage, too', async () => {
    const [provider] = await connect('ollama', () => ({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"message":{"content":"a"},"done":false}\n{"message":{"con',
    }));
    await expect(provider.chat(request, never)).rejects.toMatchObject({ problem: 'network' });
  });
});
