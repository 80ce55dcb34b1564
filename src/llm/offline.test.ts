import { describe, expect, it } from 'vitest';
import type { ModelRequest } from './provider.ts';
import { createOfflineProvider } from './providers/offline.ts';

const provider = createOfflineProvider();
const ask = async (name: string | undefined, document: unknown): Promise<unknown> => {
  const request: ModelRequest = {
    hint: 'best',
    messages: [
      { role: 'system', content: 'instructions' },
      { role: 'user', content: typeof document === 'string' ? document : JSON.stringify(document) },
    ],
    ...(name === undefined ? {} : { response: { name, schema: {} } }),
  };
  const { response } = await provider.chat(request, new AbortController().signal);
  return JSON.parse(response.text);
};
const plan = (task: string, changes: object = {}) =>
  ask('plan', { task, phase: 'discovery', found: [], capsules: [], max_subtasks: 20, ...changes });
const needsModel = { name: 'ProviderError', problem: 'needs_model', retryable: false };

describe('the offline provider', () => {
  it('has no model and sends nothing out of the process', () => {
    expect(provider).toMatchObject({ name: 'offline', isModel: false, origin: undefined });
  });

  it('plans without finding out anything first', async () => {
    expect(await plan('Count the lines in a.txt')).toEqual({
      discovery: [],
      execution: [{ id: 'step_1', description: 'Count the lines in a.txt', depends_on: [] }],
    });
  });

  it('costs nothing and says which model answered', async () => {
    const request: ModelRequest = {
      hint: 'fast',
      messages: [{ role: 'user', content: '{"task":"hello"}' }],
      response: { name: 'plan', schema: {} },
    };
    const { response, usage } = await provider.chat(request, new AbortController().signal);
    expect(response).toMatchObject({ finish: 'stop', model: 'offline', tool_calls: [] });
    expect(usage).toEqual({ input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 });
  });

  it('never drops a step above the limit: the whole task is refused', async () => {
    const task = Array.from({ length: 5 }, (_, at) => `${at + 1}. Read f${at}.txt`).join('\n');
    await expect(plan(task, { max_subtasks: 4 })).rejects.toMatchObject({
      ...needsModel,
      message: expect.stringMatching(/5 steps.*4.*CAPSTAN_MAX_SUBTASKS/),
    });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an empty task', () => plan('  \n')],
    ['an overlong task', () => plan('a '.repeat(60_000))],
    ['a plan that was refused', () => plan('Read a.txt', { problem: 'it has a cycle' })],
    ['a judgement', () => ask('judge', {})],
    ['a profile', () => ask('profile', {})],
    ['a free chat', () => ask(undefined, 'hello')],
    ['a document named like a property of objects', () => ask('constructor', {})],
  ])('says that a model is needed for %s, and how to get one', async (_what, run) => {
    await expect(run()).rejects.toMatchObject({
      ...needsModel,
      message: expect.stringContaining('CAPSTAN_PROVIDER'),
    });
  });

  it.each(['no json', '[]', '{"task": 1}'])(
    'refuses the malformed document %s',
    async (document) => {
      await expect(ask('plan', document)).rejects.toMatchObject({ problem: 'bad_request' });
    },
  );

  it('does nothing once cancelled', async () => {
    const request: ModelRequest = { hint: 'fast', messages: [{ role: 'user', content: '{}' }] };
    await expect(provider.chat(request, AbortSignal.abort())).rejects.toThrow();
  });

  it('answers from the results', async () => {
    const subtask = {
      id: 's',
      description: 'Count',
      status: 'completed',
      reason: null,
      result: '3',
      error: null,
    };
    const document = { task: 't', status: 'completed', subtasks: [subtask], artifacts: [] };
    expect(await ask('answer', document)).toEqual({ answer: '3' });
  });
});
