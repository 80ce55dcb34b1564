import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { ScriptedAnswer } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const KEY = 'key-0123456789abcdef0123456789abcdef';

let sandbox: Sandbox;
let server: ModelServer;
let answer: ScriptedAnswer;
beforeEach(async () => {
  sandbox = createSandbox();
  answer = { text: 'ok', usage: { input_tokens: 7, output_tokens: 1 } };
  server = await startModelServer({ vendor: 'openai', script: () => answer });
});
afterEach(async () => {
  await server.close();
  sandbox.remove();
});

const environment = (more: Record<string, string> = {}) => ({
  CAPSTAN_PROVIDER: 'openai',
  CAPSTAN_BASE_URL: server.baseUrl,
  OPENAI_API_KEY: KEY,
  ...more,
});

async function models(
  command: 'list' | 'check',
  more?: Record<string, string>,
  args: string[] = [],
) {
  const done = await sandbox.run(['models', command, '--json', ...args], environment(more));
  return { ...done, json: JSON.parse(done.stdout || 'null') };
}

describe('capstan models list', () => {
  it('shows the model of each hint, its price, its context window and its source', async () => {
    const { exitCode, json } = await models('list', {
      CAPSTAN_BASE_URL: '',
      CAPSTAN_MODEL_BEST: 'gpt-4o',
      CAPSTAN_MODEL_FALLBACK: 'ollama:qwen3:8b',
      OLLAMA_BASE_URL: 'http://127.0.0.1:1',
    });
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      provider: 'openai',
      problems: [],
      models: [
        { hint: 'fast', model: 'gpt-5.6-luna', source: 'default', context_tokens: 1_050_000 },
        { hint: 'balanced', source: 'default', price_basis: 'list', price_date: '2026-09-23' },
        {
          hint: 'best',
          model: 'gpt-4o',
          source: 'CAPSTAN_MODEL_BEST',
          input_usd_per_million: 2.5,
          output_usd_per_million: 10,
          context_tokens: 128_000,
        },
        {
          hint: null,
          provider: 'ollama',
          model: 'qwen3:8b',
          source: 'CAPSTAN_MODEL_FALLBACK',
          price_basis: 'free',
          context_tokens: null,
        },
      ],
    });
  });

  it('also lists the models of the server with --all', async () => {
    const text = await sandbox.run(['models', 'list', '--all', '--model', 'mine'], environment());
    expect(text.stdout).toMatch(/fast +openai\/mine +free +free +unknown +model/);
    expect(text.stdout).toMatch(/openai\/scripted-model .*the vendor's list/);
  });

  it('says that there is no model without a key', async () => {
    const { stdout, exitCode } = await sandbox.run(['models', 'list'], {
      CAPSTAN_PROVIDER: 'offline',
    });
    expect([stdout, exitCode]).toEqual([expect.stringMatching(/^No model/), 0]);
  });

  it('exits with 6 if the server that brings the models is gone', async () => {
    const { stderr, exitCode } = await models('list', { CAPSTAN_BASE_URL: 'http://127.0.0.1:1' });
    expect([stderr, exitCode]).toEqual([expect.stringMatching(/openai: .*ECONNREFUSED/), 6]);
  });
});

it('a run with an address on this machine where nothing listens exits with 6, names it and changes nothing', async () => {
  writeFileSync(join(sandbox.workspace, 'notes.txt'), 'x');
  const here = { CAPSTAN_BASE_URL: 'http://127.0.0.1:1/v1' };
  const { stderr, exitCode } = await sandbox.run(['run', 'Delete notes.txt'], here);
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('http://127.0.0.1:1')]);
  expect(existsSync(join(sandbox.workspace, 'notes.txt'))).toBe(true);
});

describe('capstan models check', () => {
  it('asks each model once for one token, and journals the call', async () => {
    const { exitCode, json } = await models('check', { CAPSTAN_MODEL_FAST: 'small' }, []);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 0,
      json: [{ provider: 'openai', model: 'small', hints: ['fast', 'balanced', 'best'], ok: true }],
    });
    expect(json[0].latency_ms).toBeGreaterThanOrEqual(0);
    expect(server.chats).toMatchObject([{ model: 'small', maxTokens: 1 }]);
    const runs = await sandbox.run(['runs', 'list', '--all', '--trials', '--json'], environment());
    expect(runs.stdout).toContain('Check the models');
  });

  it('shows the reason of the vendor, asks nothing again, and exits with 6', async () => {
    const raw = JSON.stringify({ error: { message: 'the region is closed' } });
    answer = { status: 503, body: { error: { message: 'Provider error', metadata: { raw } } } };
    const { exitCode, json } = await models('check', {}, ['--model', 'm']);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 6,
      json: [
        { ok: false, reason: 'provider', message: expect.stringContaining('region is closed') },
      ],
    });
    expect(server.chats).toHaveLength(1);
    const { stdout } = await sandbox.run(['models', 'check', '--model', 'm'], environment());
    expect(stdout).toMatch(/\nopenai\/m: http:.*the region is closed/);
  });

  it('checks the fallbacks too, each by itself', async () => {
    const { exitCode, json } = await models('check', {
      CAPSTAN_MODEL_FAST: 'm',
      CAPSTAN_MODEL_FALLBACK: 'ollama:qwen3',
      OLLAMA_BASE_URL: 'http://127.0.0.1:1',
    });
    expect({ exitCode, json }).toMatchObject({
      exitCode: 6,
      json: [
        { model: 'm', ok: true },
        { provider: 'ollama', model: 'qwen3', hints: [], ok: false },
      ],
    });
  });

  it('does not ask a paid model without consent, and exits with 4', async () => {
    const { exitCode, json } = await models('check', { CAPSTAN_BASE_URL: 'http://192.0.2.1/v1' }, [
      '--model',
      'gpt-4o',
    ]);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 4,
      json: [{ ok: false, reason: 'denied', latency_ms: null, cost_usd: 0 }],
    });
  });

  it('obeys the policy', async () => {
    const { exitCode, json } = await models('check', { CAPSTAN_BUDGET_RUN_TOKENS: '5' }, [
      '--model',
      'm',
    ]);
    expect({ exitCode, json }).toMatchObject({ exitCode: 5, json: [{ reason: 'budget' }] });
    expect(server.chats).toEqual([]);
  });

  it('exits with 2 without a model, or with a bad setting', async () => {
    const offline = await sandbox.run(['models', 'check'], { CAPSTAN_PROVIDER: 'offline' });
    expect([offline.exitCode, offline.stderr]).toEqual([2, expect.stringContaining('--provider')]);
    const bad = await sandbox.run(
      ['models', 'check'],
      environment({ CAPSTAN_MODEL_FALLBACK: 'gpt' }),
    );
    expect([bad.exitCode, bad.stderr]).toEqual([2, expect.stringContaining('ollama:qwen3:8b')]);
  });
});
