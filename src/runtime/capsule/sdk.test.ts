import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRequest, type RequestChanges } from '../../../test/capsules/request.ts';
import type { IntentReply } from '../../contract/wire/coordinator-messages.ts';
import type { Intent, Progress } from '../../contract/wire/protocol.ts';
import { toLine } from '../../platform/text/lines.ts';
import { runCapsule } from '../runner.ts';
import { bare } from '../sandbox/levels/bare.ts';

const root = join(import.meta.dirname, '../../..');
const sdkPath = join(root, 'dist/capsule-sdk.cjs');
const dir = join(root, 'test/capsules');

async function run(
  task_kind: string,
  onIntent: (intent: Intent) => Promise<IntentReply>,
  { config, ...changes }: RequestChanges = {},
) {
  const seen = { intents: [] as Intent[], progress: [] as Progress[], noise: [] as string[] };
  const response = await runCapsule({
    clean: (value) => value,
    capsule: 'uses-sdk',
    dir,
    entrypoint: ['node', 'uses-sdk.cjs'],
    sdkPath,
    request: aRequest({ ...changes, config: { task_kind, ...config } }),
    onIntent: (intent) => {
      seen.intents.push(intent);
      return onIntent(intent);
    },
    onProgress: (progress) => seen.progress.push(progress),
    onNoise: (text) => seen.noise.push(text),
    sandbox: bare,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  });
  return { response, seen };
}

const never = () => Promise.reject(new Error('nothing should be asked'));
const toolResult = async (intent: Intent): Promise<IntentReply> => ({
  type: 'tool_call_result',
  ok: true,
  result: intent.type === 'tool_call_intent' ? intent.tool : '',
});
const denied = async (): Promise<IntentReply> => ({
  type: 'tool_call_result',
  ok: false,
  error: { code: 'INTENT_DENIED', message: 'not today' },
});

describe('a handler', () => {
  it('returns text and data, shows progress, remembers, and names its artifacts', async () => {
    const changes = { context: { input: { name: 'Ada' } } };
    const { response, seen } = await run('greet', never, changes);
    expect(response).toEqual({
      type: 'agent_response',
      status: 'ok',
      result: { text: 'Hello, Ada!', data: { letters: 5 } },
      memory_updates: [{ text: 'the person is polite' }],
      artifacts: [{ path: 'greeting.md' }],
      metrics: { tool_calls: 0, model_calls: 0 },
    });
    expect(seen.progress).toEqual([{ type: 'progress', text: 'half way', fraction: 0.5 }]);
    expect(seen.noise).toEqual([]);
  });

  it('sends several requests at once and matches each reply', async () => {
    const { response, seen } = await run('together', toolResult);
    const names = Array.from({ length: 10 }, (_, i) => `tool-${i}`);
    expect(response.result).toMatchObject({ data: names });
    expect(seen.intents.map(({ id }) => id)).toEqual(names.map((_, i) => `i${i + 1}`));
  });

  it.each([
    ['stubborn', 'ok', 'ToolError INTENT_DENIED: not today'],
    ['helpless', 'error', { code: 'INTENT_DENIED', message: 'not today' }],
    ['gives_up', 'error', { code: 'NOT_FOUND', message: 'there is no such file' }],
    ['says_nothing', 'error', { code: 'RESULT_INVALID' }],
    ['breaks', 'error', { code: 'CAPSULE_CRASHED' }],
    ['constructor', 'error', { code: 'TASK_KIND_UNKNOWN' }],
  ])('%s: ends with status %s', async (kind, status, result) => {
    const { response } = await run(kind, denied);
    expect(response.status).toBe(status);
    if (typeof result === 'string') expect(response.result).toBe(result);
    else expect(response.result).toMatchObject(result);
  });

  it('asks a model, and hears why it may not', async () => {
    const answer = { text: 'because', tool_calls: [], finish: 'stop', model: 'm' };
    const yes = await run('thinks', async () => ({
      type: 'api_call_decision',
      approved: true,
      note: '',
      response: answer,
    }));
    expect(yes.response.result).toBe('because');
    expect(yes.seen.intents).toMatchObject([
      { type: 'api_call_intent', reason: 'to know', request: { kind: 'chat', hint: 'balanced' } },
    ]);
    const no = await run('thinks', async () => ({
      type: 'api_call_decision',
      approved: false,
      note: 'the budget is spent',
    }));
    expect(no.response).toMatchObject({
      status: 'error',
      result: { code: 'INTENT_DENIED', message: 'the budget is spent' },
    });
  });

  it('is truncated to the limits of the protocol, and may be large within them', async () => {
    const { response, seen } = await run('spreads', toolResult);
    expect(response.result).toHaveLength(1_000_000);
    expect(response.memory_updates).toHaveLength(20);
    expect(response.artifacts).toEqual([{ path: 'same.md' }]);
    expect(seen.intents[0]?.reason).toHaveLength(2_000);
  });
});

it('a capsule goes when the coordinator is gone', async () => {
  const child = spawn(process.execPath, ['uses-sdk.cjs'], {
    cwd: dir,
    env: { CAPSTAN_SDK: sdkPath },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end(toLine(aRequest({ config: { task_kind: 'waits' } })));
  expect(await once(child, 'exit')).toEqual([1, null]);
});
