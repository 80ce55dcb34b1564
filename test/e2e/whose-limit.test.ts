import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
let server: ModelServer;
beforeEach(async () => {
  sandbox = createSandbox();
  server = await startModelServer({ vendor: 'openai', script: () => ({ broken: 'silent' }) });
});
afterEach(async () => {
  await server.close();
  sandbox.remove();
});

const args = ['--provider', 'openai', '--model', 'scripted-model', '--capsule', 'file-clerk'];
const environmentOf = (seconds: number) => ({
  CAPSTAN_BASE_URL: server.baseUrl,
  OPENAI_API_KEY: 'key-0123456789abcdef0123456789abcdef',
  CAPSTAN_MODEL_TIMEOUT_SEC: String(seconds),
  CAPSTAN_MODEL_RETRY_SEC: '1',
});

describe('a model that does not answer', () => {
  it("is ended by the run's own time limit, and nothing else is blamed", async () => {
    const { exitCode, stdout, stderr } = await sandbox.run(
      ['run', ...args, '--timeout', '2', 'Compose a poem about notes'],
      environmentOf(60),
    );
    expect(exitCode).toBe(124);
    expect(stderr).toContain('The time limit of the run was over before the model answered.');
    expect(`${stdout}${stderr}`).not.toMatch(/openai: |aborted|MODEL_TIMEOUT/);
  });

  it('is ended by the time limit of a model call, which is named', async () => {
    const { exitCode, stderr } = await sandbox.run(
      ['run', ...args, '--timeout', '60', 'Compose a poem about notes'],
      environmentOf(1),
    );
    expect(exitCode).toBe(6);
    expect(stderr).toContain('It gave no answer within 1000 ms (CAPSTAN_MODEL_TIMEOUT_SEC).');
  });
});
