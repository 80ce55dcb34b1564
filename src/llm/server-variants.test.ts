import { afterEach, describe, expect, it } from 'vitest';
import { startModelServer } from '../../test/model-server/model-server.ts';
import type { ScriptedAnswer, Vendor } from '../../test/model-server/script.ts';
import type { ModelRequest, Provider } from './provider.ts';
import { openProvider } from './providers.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function connect(vendor: Vendor, answer: ScriptedAnswer): Promise<Provider> {
  const server = await startModelServer({ vendor, script: () => answer });
  const provider = await openProvider(vendor, {
    keys: { [vendor]: 'the-key-0123456789' },
    baseUrl: server.baseUrl,
    models: { balanced: 'm' },
  });
  opened.push(
    () => server.close(),
    () => provider.close(),
  );
  return provider;
}

const request: ModelRequest = { messages: [{ role: 'user', content: 'Go.' }], hint: 'balanced' };
const never = new AbortController().signal;

async function chat(vendor: Vendor, answer: ScriptedAnswer) {
  return (await (await connect(vendor, answer)).chat(request, never)).response;
}
const body = (document: unknown): ScriptedAnswer => ({ status: 200, body: document });
const sse = (events: readonly unknown[], end = 'data: [DONE]\n\n'): ScriptedAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end,
});
const message = (fields: object, finish: string | null = 'stop') =>
  body({ model: 'm', choices: [{ finish_reason: finish, message: fields }] });
/** The deltas of one choice, and its end. */
const deltas = (parts: readonly object[], finish: string | null = 'stop') =>
  sse([
    ...parts.map((delta) => ({ model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ]);

describe('text of OpenAI-compatible servers', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const thinking = { type: 'thinking', thinking: [text('hm')] };
  it.each([
    [
      'strings after parts (Mistral)',
      [[thinking], [text('1')], '4', '4'].map((content) => ({ content })),
      '144',
    ],
    ['strings before parts', ['1', [text('4')], '4'].map((content) => ({ content })), '144'],
    ['a part alone', [{ content: text('14') }, { content: '4' }], '144'],
    ['strings in a list', [{ content: ['1', text('44')] }], '144'],
    [
      'null with reasoning',
      [{ content: null, reasoning_content: 'hm' }, { content: '144' }],
      '144',
    ],
    ['null and reasoning alone', [{ content: null, reasoning_content: 'hm' }], ''],
    ['a refusal', [{ refusal: 'I ' }, { refusal: 'refuse.' }], 'I refuse.'],
  ])('of a stream with %s is kept whole', async (_what, parts, expected) => {
    expect((await chat('openai', deltas(parts))).text).toBe(expected);
  });

  it.each([
    ['content null and reasoning', { content: null, reasoning_content: 'hm' }, ''],
    ['parts and strings', { content: [thinking, text('1'), '44'] }, '144'],
    ['output_text parts', { content: [{ type: 'output_text', text: '144' }] }, '144'],
    ['no content', {}, ''],
  ])('of a document with %s is kept', async (_what, fields, expected) => {
    expect((await chat('openai', message(fields))).text).toBe(expected);
  });

  it.each([
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['function_call', 'stop'],
    ['', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['max_output_tokens', 'length'],
    ['content_filter', 'refusal'],
  ])('that ended with %j has finish %s', async (given, finish) => {
    expect((await chat('openai', message({ content: 'a' }, given))).finish).toBe(finish);
    expect((await chat('openai', deltas([{ content: 'a' }], given))).finish).toBe(finish);
  });

  it('that is streamed without a content type, or with a wrong one, is read', async () => {
    const events = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n';
    for (const start of ['', ': hello\n\n', 'event: x\n']) {
      const answer = {
        status: 200,
        body: start + events,
        headers: { 'content-type': 'text/plain' },
      };
      expect((await chat('openai', answer)).text).toBe('hi');
    }
    const lines =
      '{"message":{"content":"h"},"done":false}\n{"message":{"content":"i"},"done":true}\n';
    expect((await chat('ollama', { status: 200, body: lines })).text).toBe('hi');
  });

  it('has the usage of a last chunk without choices', async () => {
    const events = [
      { choices: [{ delta: { content: 'hi' } }], usage: null },
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: null },
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } },
    ];
    const provider = await connect('openai', sse(events));
    const { usage } = await provider.chat(request, never);
    expect(usage).toEqual({ input_tokens: 7, cached_input_tokens: 0, output_tokens: 5 });
  });
});

describe('tool calls of OpenAI-compatible servers', () => {
  const f = (name: string, args: unknown) => ({ function: { name, arguments: args } });
  const whole = [
    { name: 'a', args: { x: 1 } },
    { name: 'a', args: { x: 2 } },
  ];
  it.each([
    ['arguments that are objects', [[f('a', { x: 1 }), f('a', { x: 2 })]]],
    ['neither ids nor indexes', [[f('a', '{"x":1}')], [f('a', '{"x":2}')]]],
    ['empty ids', [[{ id: '', ...f('a', '{"x":1}') }], [{ id: '', ...f('a', '{"x":2}') }]]],
    [
      'ids alone, in pieces',
      [
        [{ id: '1', ...f('a', '') }],
        [f('', '{"x"')],
        [f('', ':1}')],
        [{ id: '2', ...f('a', '{"x":2}') }],
      ],
    ],
    [
      'an id on each piece',
      [
        [{ id: '1', ...f('a', '{"x"') }],
        [{ id: '1', ...f('a', ':1}') }],
        [{ id: '2', ...f('a', '{"x":2}') }],
      ],
    ],
    [
      'the same index for all',
      [
        [{ index: 0, id: '1', ...f('a', '{"x":1}') }],
        [{ index: 0, id: '2', ...f('a', '{"x":2}') }],
      ],
    ],
    [
      'indexes from 1 and pieces that alternate',
      [
        [
          { index: 1, id: '1', ...f('a', '{"x"') },
          { index: 2, id: '2', ...f('a', '{"x"') },
        ],
        [
          { index: 1, ...f('', ':1}') },
          { index: 2, function: { arguments: ':2}' } },
        ],
      ],
    ],
    [
      'ids that are numbers',
      [
        [
          { id: 1, ...f('a', '{"x":1}') },
          { id: 2, ...f('a', '{"x":2}') },
        ],
      ],
    ],
    [
      'the name on each piece',
      [[f('a', '')], [f('a', '{"x"')], [f('a', ':1}')], [f('a', '{"x":2}')]],
    ],
  ])('with %s are told apart in a stream', async (_what, parts) => {
    const answer = deltas(
      parts.map((tool_calls) => ({ tool_calls })),
      'tool_calls',
    );
    const { tool_calls, finish } = await chat('openai', answer);
    expect(tool_calls.map(({ name, args }) => ({ name, args }))).toEqual(whole);
    expect(new Set(tool_calls.map(({ id }) => id)).size).toBe(2);
    expect(finish).toBe('tool_calls');
  });

  it.each([
    ['arguments that are objects', { tool_calls: [f('a', { x: 1 }), f('a', { x: 2 })] }],
    [
      'ids that are missing, null, numbers',
      {
        tool_calls: [
          { id: null, ...f('a', '{"x":1}') },
          { id: 7, ...f('a', '{"x":2}') },
        ],
      },
    ],
  ])('with %s are read from a document', async (_what, fields) => {
    const { tool_calls } = await chat('openai', message({ content: null, ...fields }, 'stop'));
    expect(tool_calls.map(({ name, args }) => ({ name, args }))).toEqual(whole);
    expect(tool_calls.every(({ id }) => id !== '')).toBe(true);
  });

  it('in the form before `tool_calls` are read', async () => {
    const function_call = { name: 'a', arguments: '{"x":1}' };
    const expected = { finish: 'tool_calls', tool_calls: [{ name: 'a', args: { x: 1 } }] };
    const document = message({ content: null, function_call }, 'function_call');
    expect(await chat('openai', document)).toMatchObject(expected);
    const stream = [
      { function_call: { name: 'a', arguments: '' } },
      { function_call: { arguments: '{"x"' } },
      { function_call: { arguments: ':1}' } },
    ];
    expect(await chat('openai', deltas(stream, 'function_call'))).toMatchObject(expected);
  });
});

describe('answers of other vendors', () => {
  it.each([
    [
      'content that is text',
      { content: 'hi', stop_reason: 'end_turn' },
      { text: 'hi', finish: 'stop' },
    ],
    [
      'a call without an id, its input as text',
      { content: [{ type: 'tool_use', name: 'a', input: '{"x":1}' }], stop_reason: 'tool_use' },
      { finish: 'tool_calls', tool_calls: [{ name: 'a', args: { x: 1 } }] },
    ],
    [
      'a refusal without a word',
      { content: [], stop_reason: 'refusal' },
      { finish: 'refusal', text: 'The model refused without a reason.' },
    ],
    [
      'a refusal with a category',
      { content: [], stop_reason: 'refusal', stop_details: { category: 'cyber' } },
      { finish: 'refusal', text: 'cyber' },
    ],
  ])('of Anthropic with %s is read', async (_what, document, expected) => {
    const response = await chat('anthropic', body({ model: 'm', ...document }));
    expect(response).toMatchObject(expected);
  });

  it('of an Anthropic-compatible stream without its last event is read', async () => {
    const events = [
      { type: 'message_start', message: { model: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    ];
    expect((await chat('anthropic', sse(events, ''))).text).toBe('hi');
  });

  it.each([
    [body({ promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'not here' } })],
    [sse([{ promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'not here' } }], '')],
    [sse([{ candidates: [{ finishReason: 'SAFETY', finishMessage: 'not here' }] }], '')],
  ])('of Gemini that blocks says why', async (answer) => {
    const response = await chat('gemini', answer);
    expect(response.finish).toBe('refusal');
    expect(response.text).toMatch(/^Blocked: (OTHER|SAFETY) \(not here\)$/);
  });

  it('of Ollama that thinks leaves the thoughts out', async () => {
    const document = {
      model: 'm',
      message: { content: '', thinking: 'hm' },
      done: true,
      done_reason: 'stop',
    };
    expect(await chat('ollama', body(document))).toMatchObject({ text: '', finish: 'stop' });
  });
});
