import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatMessage } from '../contract/wire/chat.ts';
import type { Reasoning } from './answer/reasoning.ts';
import type { ChatResult, ModelRequest, Provider } from './provider.ts';
import { openProvider } from './providers.ts';

type Vendor = 'openai' | 'anthropic' | 'gemini' | 'ollama';
// biome-ignore lint/suspicious/noExplicitAny: bodies of four vendors, read field by field.
type Body = any;

const opened: (() => unknown)[] = [];
afterEach(() => {
  for (const close of opened.splice(0).reverse()) close();
});

/** A text is a stream, an object a document; a number before it is its status. */
type Answer = string | object | readonly [status: number, body: object];

interface Connection {
  readonly provider: Provider;
  readonly bodies: Body[];
  readonly paths: string[];
}

async function connect(
  vendor: Vendor,
  answers: readonly Answer[],
  { model = 'model-1', reasoning }: { model?: string; reasoning?: Reasoning } = {},
): Promise<Connection> {
  const left = [...answers];
  const bodies: Body[] = [];
  const paths: string[] = [];
  const answerOne = (response: ServerResponse) => {
    const next = left.shift() ?? {};
    const [status, answer] = Array.isArray(next) ? next : [200, next];
    const isStream = typeof answer === 'string';
    const streamType = vendor === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
    response.writeHead(status, { 'content-type': isStream ? streamType : 'application/json' });
    response.end(isStream ? answer : JSON.stringify(answer));
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      paths.push(request.url ?? '');
      answerOne(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await openProvider(vendor, {
    keys: { [vendor]: 'key' },
    baseUrl,
    models: { balanced: model },
    modelReasoning: reasoning,
  });
  opened.push(() => server.close(), provider.close);
  return { provider, bodies, paths };
}

const never = new AbortController().signal;
const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }];
const ask = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: 'Go.' },
  ],
  hint: 'balanced',
  ...changes,
});

async function streamed(provider: Provider, request = ask()) {
  const pieces: string[] = [];
  const result = await provider.chat(request, never, (text) => pieces.push(text));
  return { ...result, pieces };
}

const sse = (...events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const lines = (...events: readonly object[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

const folder = join(import.meta.dirname, '../../../shared/data/llm-traffic');
const recorded = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }))
  .filter(({ response }) => response.status === 200 && response.body_text?.startsWith('data:'))
  .filter(({ provider, request }) => !/responses/.test(`${provider} ${request?.path}`))
  .map(({ name, provider, response }) => ({
    name: String(name),
    vendor: (/^(anthropic|gemini)$/.test(provider) ? provider : 'openai') as Vendor,
    text: String(response.body_text),
  }));

/** A suite needs a test, also if it is skipped. */
const none = { name: 'none', vendor: 'openai' as Vendor, text: '' };

describe('a recorded stream (skipped where ../shared/data is absent)', () => {
  it.skipIf(recorded.length === 0).each(recorded.length === 0 ? [none] : recorded)(
    '$name returns the pieces of its text, without the reasoning',
    async ({ vendor, text }) => {
      const { provider } = await connect(vendor, [text]);
      const { response, pieces } = await streamed(provider);
      expect(pieces.join('')).toBe(response.text);
    },
  );
});

describe('the pieces of an answer', () => {
  it('are asked for in each vendor’s way, and not without a listener', async () => {
    for (const vendor of ['openai', 'anthropic', 'gemini', 'ollama'] as const) {
      const { provider, bodies, paths } = await connect(vendor, []);
      await provider.chat(ask(), never, () => {}).catch(() => undefined);
      await provider.chat(ask(), never).catch(() => undefined);
      const asked = (at: number) =>
        bodies.at(at)?.stream === true || /stream/.test(paths[at] ?? '');
      const [first, second] = [asked(-2), asked(-1)];
      expect([vendor, vendor === 'gemini' ? asked(0) : first, second]).toEqual([
        vendor,
        true,
        false,
      ]);
    }
  });

  const final = JSON.stringify({
    status: 'ok',
    remember: ['"result": "no"'],
    result: 'Two "\u00fc" \\ lines:\n😀 and \ttabs.',
    artifacts: ['a.md'],
  }).replace('😀', '\\ud83d\\ude00');
  const inPieces = (chars: number) => final.match(new RegExp(`[^]{1,${chars}}`, 'g')) ?? [];
  const shown = 'Done.\n\nTwo "ü" \\ lines:\n😀 and \ttabs.';

  it.each([1, 3, 7, 500])('include the result in a call of `final`, in pieces of %i', async (n) => {
    const call = (args: string, name?: string) =>
      chunk({ tool_calls: [{ index: 0, function: { name, arguments: args } }] });
    const toRead = { index: 1, id: 'r', function: { name: 'read', arguments: '{"result": "x"}' } };
    const openai = await connect('openai', [
      sse(
        chunk({ content: 'Done.' }),
        chunk({ tool_calls: [toRead] }),
        call('', 'final'),
        ...inPieces(n).map((piece) => call(piece)),
        chunk({}, 'tool_calls'),
      ),
    ]);
    expect((await streamed(openai.provider)).pieces.join('')).toBe(shown);
    const delta = (delta: object, index: number) => ({
      type: 'content_block_delta',
      index,
      delta,
    });
    const start = (content_block: object, index: number) => ({
      type: 'content_block_start',
      index,
      content_block,
    });
    const anthropic = await connect('anthropic', [
      sse(
        { type: 'message_start', message: { id: 'm', model: 'm', content: [], usage: {} } },
        start({ type: 'tool_use', id: 't', name: 'final', input: '' }, 0),
        ...inPieces(n).map((partial_json) => delta({ type: 'input_json_delta', partial_json }, 0)),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ),
    ]);
    const { pieces } = await streamed(anthropic.provider);
    expect(`Done.\n\n${pieces.join('')}`).toBe(shown);
  });

  it('come from content parts and plain strings of one stream', async () => {
    const { provider } = await connect('openai', [
      sse(
        chunk({ content: '1' }),
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        chunk({ content: [{ type: 'text', text: '4' }] }),
        chunk({ content: '4' }, 'stop'),
      ),
    ]);
    const { response, pieces } = await streamed(provider);
    expect([response.text, pieces.join('')]).toEqual(['144', '144']);
  });

  it.each([
    ['<think>Let me see.</think>\n\nIt is 4.', 'It is 4.'],
    ['  <thinking>a</thinking><think>b</think> It is 4.', 'It is 4.'],
    ['[THINK]a[/THINK]It is 4.', 'It is 4.'],
    ['<thinner> is no tag. </think>', '<thinner> is no tag. </think>'],
    ['Use `<think>` and `</think>`.', 'Use `<think>` and `</think>`.'],
  ])('of %j contain no reasoning, wherever it is split', async (text, expected) => {
    for (const vendor of ['openai', 'ollama'] as const) {
      const { provider } = await connect(vendor, [
        vendor === 'openai'
          ? sse(...[...text].map((content) => chunk({ content })), chunk({}, 'stop'))
          : lines(...[...text].map((content) => ({ message: { content } })), {
              message: { content: '' },
              done: true,
            }),
      ]);
      const { response, pieces } = await streamed(provider);
      expect([response.text, pieces.join('')]).toEqual([expected, expected]);
    }
  });

  it('are requested without usage, and then not at all, if a server refuses that', async () => {
    const refusal = (message: string) => [400, { error: { message } }] as const;
    const answer = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };
    const { provider, bodies } = await connect('openai', [
      refusal('Extra inputs are not permitted: stream_options'),
      refusal('streaming is not supported'),
      answer,
      answer,
    ]);
    expect((await streamed(provider)).response.text).toBe('ok');
    await streamed(provider);
    expect(bodies.map(({ stream, stream_options }) => [stream, stream_options])).toEqual([
      [true, { include_usage: true }],
      [true, undefined],
      [false, undefined],
      [false, undefined],
    ]);
  });
});

it('marks tokens that a stream did not report as estimated', async () => {
  const answer = [chunk({ content: 'four' }), chunk({}, 'stop')];
  const usage = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } };
  const { provider } = await connect('openai', [sse(...answer), sse(...answer, usage)]);
  expect((await streamed(provider)).isEstimated).toBe(true);
  const second = await streamed(provider);
  expect(second.isEstimated).toBeUndefined();
  expect(second.usage).toMatchObject({ input_tokens: 9, output_tokens: 2 });
});

it('gives a call another id if the server restarts its numbering in each answer', async () => {
  const call = { id: 'call_0', function: { name: 'read', arguments: '{}' } };
  const { provider } = await connect('openai', [
    { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] },
  ]);
  const before: ChatMessage[] = [
    { role: 'assistant', content: '', tool_calls: [{ id: 'call_0', name: 'read', args: {} }] },
    { role: 'tool', tool_call_id: 'call_0', content: 'x' },
  ];
  const request = ask({ messages: [...ask().messages, ...before], tools });
  const { response } = await provider.chat(request, never);
  expect(response.tool_calls[0]?.id).not.toBe('call_0');
});

/** An answer with reasoning, a text and one call, as each vendor gives it. */
const thinkingAnswers: Readonly<Record<Vendor, (turn: number) => object>> = {
  openai: (turn) => ({
    choices: [
      {
        message: {
          content: 'Reading.',
          reasoning_content: `I think ${turn}`,
          reasoning_details: [{ type: 'reasoning.encrypted', data: `e${turn}` }],
          tool_calls: [{ id: `c${turn}`, function: { name: 'read', arguments: `{"n":${turn}}` } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  }),
  anthropic: (turn) => ({
    content: [
      { type: 'thinking', thinking: `I think ${turn}`, signature: `s${turn}` },
      { type: 'text', text: 'Reading.' },
      { type: 'redacted_thinking', data: `r${turn}` },
      { type: 'tool_use', id: `c${turn}`, name: 'read', input: { n: turn } },
    ],
    stop_reason: 'tool_use',
  }),
  gemini: (turn) => ({
    candidates: [
      {
        content: {
          parts: [
            { text: `I think ${turn}`, thought: true },
            { text: 'Reading.' },
            {
              functionCall: { id: `c${turn}`, name: 'read', args: { n: turn } },
              thoughtSignature: `s${turn}`,
            },
          ],
        },
        finishReason: 'STOP',
      },
    ],
  }),
  ollama: (turn) => ({
    message: {
      content: 'Reading.',
      thinking: `I think ${turn}`,
      tool_calls: [{ id: `c${turn}`, function: { name: 'read', arguments: { n: turn } } }],
    },
    done: true,
  }),
};

function nextTurn(messages: readonly ChatMessage[], { response }: ChatResult): ChatMessage[] {
  const { text, tool_calls } = response;
  const results = tool_calls.map(
    ({ id }) => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` }) as const,
  );
  return [...messages, { role: 'assistant', content: text, tool_calls }, ...results];
}

/** The conversation in a request's body. */
const messagesOf = ({ messages, contents }: Body) => JSON.stringify(messages ?? contents);

describe.each(['openai', 'anthropic', 'gemini', 'ollama'] as const)(
  'a conversation with %s',
  (vendor) => {
    const answers = [0, 1, 2, 3].map(thinkingAnswers[vendor]);

    it('begins each request with the bytes of the previous one, including the reasoning', async () => {
      const { provider, bodies } = await connect(vendor, answers, { model: 'gemini-3-flash' });
      let { messages } = ask();
      for (let turn = 0; turn < 4; turn += 1) {
        messages = nextTurn(messages, await provider.chat(ask({ messages, tools }), never));
      }
      const sent = bodies.filter((body) => body.messages || body.contents);
      expect(sent).toHaveLength(4);
      for (const [at, body] of sent.entries()) {
        const before = sent[at - 1];
        if (before === undefined) continue;
        expect(messagesOf(body).startsWith(messagesOf(before).slice(0, -1))).toBe(true);
        const { messages: _m, contents: _c, ...rest } = body;
        const { messages: _n, contents: _d, ...restBefore } = before;
        expect(JSON.stringify(rest)).toBe(JSON.stringify(restBefore));
      }
    });

    it("lets a later process return the vendor's data, which no answer contains", async () => {
      const first = await connect(vendor, answers, { model: 'gemini-3-flash' });
      const request = ask({ tools });
      const result = await first.provider.chat(request, never);
      expect(result.response.text).toBe('Reading.');
      expect(JSON.stringify(result.response)).not.toMatch(/I think|s0|e0|r0/);
      const messages = nextTurn(request.messages, result);
      await first.provider.chat(ask({ messages, tools }), never);

      const second = await connect(vendor, answers, { model: 'gemini-3-flash' });
      second.provider.restore?.(JSON.parse(JSON.stringify(result.carried)));
      await second.provider.chat(ask({ messages, tools }), never);
      expect(messagesOf(second.bodies.at(-1))).toBe(messagesOf(first.bodies.at(-1)));
      expect(messagesOf(second.bodies.at(-1))).toMatch(/I think 0|"s0"/);
    });
  },
);

describe('Anthropic', () => {
  it('is asked to cache a conversation with tools, with a marker beside the messages', async () => {
    const { provider, bodies } = await connect('anthropic', []);
    await provider.chat(ask({ tools }), never).catch(() => undefined);
    await provider.chat(ask(), never).catch(() => undefined);
    expect(bodies.map(({ cache_control }) => cache_control)).toEqual([
      { type: 'ephemeral' },
      undefined,
    ]);
    expect(JSON.stringify(bodies[0].messages)).not.toContain('cache_control');
  });

  it('gets its thoughts back in their places', async () => {
    const { provider, bodies } = await connect('anthropic', [thinkingAnswers.anthropic(0)]);
    const request = ask({ tools });
    const messages = nextTurn(request.messages, await provider.chat(request, never));
    await provider.chat(ask({ messages, tools }), never).catch(() => undefined);
    const { content } = thinkingAnswers.anthropic(0) as Body;
    expect(bodies[1].messages[1].content).toEqual(content);
  });

  it('counts what it wrote to its cache', async () => {
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 426,
      cache_read_input_tokens: 70,
    };
    const { provider } = await connect('anthropic', [
      { content: [{ type: 'text', text: 'ok' }], usage: { ...usage, output_tokens: 2 } },
    ]);
    expect((await provider.chat(ask(), never)).usage).toEqual({
      input_tokens: 500,
      cached_input_tokens: 70,
      cache_write_tokens: 426,
      output_tokens: 2,
    });
  });
});

describe('how much a model thinks', () => {
  it.each<[Vendor, string, Reasoning, object]>([
    ['openai', 'gpt-5.6-terra', 'low', { reasoning_effort: 'low' }],
    ['openai', 'gpt-4o', 'high', {}],
    ['anthropic', 'claude-sonnet-5', 'medium', { output_config: { effort: 'medium' } }],
    ['anthropic', 'claude-sonnet-5', 'none', { thinking: { type: 'disabled' } }],
    [
      'anthropic',
      'claude-haiku-4-5',
      'high',
      { thinking: { type: 'enabled', budget_tokens: 4_096 } },
    ],
    ['gemini', 'gemini-3.6-flash', 'none', { thinkingLevel: 'minimal' }],
    ['gemini', 'gemini-3.1-pro-preview', 'none', { thinkingLevel: 'low' }],
    ['gemini', 'gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini', 'gemini-2.0-flash', 'high', {}],
    ['ollama', 'qwen3', 'none', { think: false }],
    ['ollama', 'gpt-oss:20b', 'high', { think: 'high' }],
  ])('is told to %s, model %s, %s as %j', async (vendor, model, reasoning, expected) => {
    const { provider, bodies } = await connect(vendor, [], { model, reasoning });
    await provider.chat(ask(), never).catch(() => undefined);
    const { reasoning_effort, thinking, output_config, think, generationConfig } = bodies.at(-1);
    const config = generationConfig?.thinkingConfig ?? {};
    const sent = { reasoning_effort, thinking, output_config, think, ...config };
    if (Object.keys(expected).length > 0) expect(sent).toMatchObject(expected);
    else expect(Object.values(sent).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each<[Vendor, string, string]>([
    ['openai', 'Unrecognized request argument supplied: reasoning_effort', 'reasoning_effort'],
    ['anthropic', 'adaptive thinking is not supported on this model', 'thinking'],
    ['gemini', 'Thinking level is not supported for this model.', 'thinkingLevel'],
    ['ollama', '"model-1" does not support thinking', 'think'],
  ])('is left out for a model of %s that does not take it', async (vendor, message, field) => {
    const error = vendor === 'ollama' ? message : { message };
    const refusal = [400, { error }] as const;
    const answer = thinkingAnswers[vendor](0);
    const { provider, bodies } = await connect(vendor, [refusal, answer, answer], {
      reasoning: 'low',
    });
    await provider.chat(ask(), never);
    await provider.chat(ask(), never);
    const has = bodies.map((body) => JSON.stringify(body).includes(`"${field}"`));
    expect(has.slice(-3)).toEqual([true, false, false]);
  });
});

it('sends reasoning along everywhere to a server that misses it', async () => {
  const answer = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };
  const missing = 'Missing `reasoning_content` field in the assistant message at message index 2';
  const { provider, bodies } = await connect('openai', [
    [400, { error: { message: missing } }],
    answer,
  ]);
  const messages: ChatMessage[] = [
    ...ask().messages,
    { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'read', args: {} }] },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
  ];
  await provider.chat(ask({ messages, tools }), never);
  expect(bodies[1].messages[2]).toMatchObject({ role: 'assistant', reasoning_content: '' });
});
