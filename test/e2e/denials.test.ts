import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const KEY = 'key-0123456789abcdef0123456789abcdef';

let sandbox: Sandbox;
let server: ModelServer | undefined;
beforeEach(() => {
  sandbox = createSandbox();
  put('notes.md', 'one\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  sandbox.remove();
});

const put = (name: string, text: string) => writeFileSync(join(sandbox.workspace, name), text);

/** A capsule of the user that makes these tool calls, ignores the replies, and reports success. */
function addBoaster(
  calls: readonly (readonly [tool: string, args: unknown])[],
  more: Readonly<Record<string, unknown>> = {},
): void {
  const dir = join(sandbox.home, 'capstan/data/agents/boaster');
  mkdirSync(dir, { recursive: true });
  const manifest = {
    id: 'boaster',
    name: 'Boaster',
    version: '1.0.0',
    description: 'Says that all is done.',
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools: { file_io: { paths: ['*.md'], operations: ['read', 'write'] }, ...more } },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.', examples: [] }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => ({ async work({ call }) {
  for (const [tool, args] of ${JSON.stringify(calls)}) {
    try { await call(tool, args, 'needed'); } catch {}
  }
  return { text: 'I did it all.' };
} }) });
`,
  );
}

const boast = (...args: string[]) =>
  sandbox.runJson(['run', '--provider', 'offline', '--capsule', 'boaster', ...args, 'Do it']);

const write = ['file_io', { operation: 'write', path: 'notes.md', content: 'two\n' }] as const;

describe('a run in which something was denied', () => {
  it('fails although its capsule reports success, and names the denial first', async () => {
    addBoaster([write]);
    const { document, exitCode } = await boast('--approve-mode', 'deny');
    expect({ exitCode, status: document.status, reason: document.reason }).toEqual({
      exitCode: 4,
      status: 'failed',
      reason: 'denied',
    });
    expect(document.denials).toMatchObject([
      { subtask_id: 's1', operation: 'file_io.write', target: 'notes.md', reason: 'denied' },
    ]);
    expect(document.denials[0]?.sentence).not.toContain('file_io.write');
    const answer = document.answer ?? '';
    expect(answer).toMatch(/^Denied and not done:\n\n- file_io\.write notes\.md: /);
    expect(answer).toContain('The denied operations were not performed:\n\n> I did it all.');
    expect(answer).not.toMatch(/1 of 1/);
  });

  it('says in its document what each question was answered', async () => {
    addBoaster([write]);
    const denied = await boast('--approve-mode', 'deny');
    const parked = await boast();
    const allowed = await boast('--approve-mode', 'allow');
    expect(denied.document.approvals).toMatchObject([{ status: 'answered', answer: 'deny' }]);
    expect(allowed.document.approvals).toMatchObject([{ status: 'consumed', answer: 'approve' }]);
    expect(allowed.document.denials).toEqual([]);
    expect(parked.document).toMatchObject({
      status: 'parked',
      reason: 'approval',
      approvals: [{ status: 'pending', answer: null }],
    });
  });

  it.each([
    ['a tool that is not granted', ['terminal', { argv: ['touch', 'x'], access: 'write' }]],
    ['a path that is not granted', ['file_io', { operation: 'write', path: 'x.txt', content: '' }]],
    ['a protected path', ['file_io', { operation: 'write', path: '.env.md/.env', content: '' }]],
    [
      'an operation that is not granted',
      ['file_io', { operation: 'append', path: 'notes.md', content: 'x' }],
    ],
  ] as const)(
    'completes if only %s was refused, and its answer names the refusal',
    async (_what, call) => {
      addBoaster([call]);
      const { document, exitCode } = await boast('--approve-mode', 'allow');
      expect({ exitCode, status: document.status }).toEqual({ exitCode: 0, status: 'completed' });
      expect(document.denials).toHaveLength(1);
      expect(document.answer).toMatch(/^Denied and not done:\n\n- \w+\.\w+ .*\n\nI did it all\.$/);
      expect(document.answer).toContain(document.denials[0]?.sentence);
    },
  );

  it("fails as denied if a step can't be done without a refused operation, even a read", async () => {
    const { document, exitCode } = await sandbox.runJson([
      ...['run', '--provider', 'offline', 'Read ../secret.txt'],
    ]);
    expect({ exitCode, reason: document.reason }).toEqual({ exitCode: 4, reason: 'denied' });
    expect(document.denials).toMatchObject([
      { operation: 'file_io.read', target: '../secret.txt' },
    ]);
  });

  it('fails if another operation on the file was done after the denied one', async () => {
    addBoaster([write, ['file_io', { operation: 'append', path: 'notes.md', content: '.' }]], {
      file_io: { paths: ['*.md'], operations: ['write', 'append'] },
    });
    const policy = join(sandbox.home, 'policy.yaml');
    writeFileSync(
      policy,
      'rules:\n  - { id: no-write, when: { operation: file_io.write }, answer: deny }\n',
    );
    const { document, exitCode } = await boast('--approve-mode', 'allow', '--policy', policy);
    expect({ exitCode, reason: document.reason }).toEqual({ exitCode: 4, reason: 'denied' });
    expect(readFileSync(join(sandbox.workspace, 'notes.md'), 'utf8')).toBe('one\n.');
    expect(document.answer).toMatch(/^Denied and not done:\n\n- file_io\.write notes\.md: /);
  });

  it('completes if a request had invalid arguments, which is a failure, or named an unknown tool, which is a denial', async () => {
    addBoaster([
      ['file_io', { operation: 'conjure', path: 'notes.md' }],
      ['telepathy', {}],
    ]);
    const { document, exitCode } = await boast();
    expect(exitCode).toBe(0);
    expect(document.denials.map(({ operation }) => operation)).toEqual(['telepathy']);
    expect(document.failed_calls).toMatchObject([
      {
        operation: 'file_io',
        code: 'TOOL_ARGS_INVALID',
        message: expect.stringMatching(/conjure|operation/),
      },
    ]);
    expect(document.answer).toBe('I did it all.');
    const { stdout } = await sandbox.run(['runs', 'show', document.run_id]);
    expect(stdout).toMatch(
      /\nDenied\ntelepathy: .*\n\nFailed calls\nfile_io: Arguments for tool "file_io"/,
    );
  });

  it('completes if a private address was refused, and its document says so', async () => {
    addBoaster([['web_fetch', { url: 'http://127.0.0.1:9/x' }]], {
      web_fetch: { hosts: ['127.0.0.1:9'] },
    });
    const { document, exitCode } = await boast('--approve-mode', 'allow');
    expect(exitCode).toBe(0);
    expect(document.denials).toMatchObject([
      { operation: 'web_fetch.GET', sentence: expect.stringContaining('not a public address') },
    ]);
  });

  it('shows the denials of a finished run', async () => {
    addBoaster([write]);
    const { document } = await boast('--approve-mode', 'deny');
    const { stdout } = await sandbox.run(['runs', 'show', document.run_id]);
    expect(stdout).toMatch(/\nDenied\nfile_io\.write notes\.md: /);
    expect(existsSync(join(sandbox.workspace, 'notes.md'))).toBe(true);
  });
});

/** A model that plans a discovery step, which fails, and one step of execution, which ends with `status`. */
const explorer =
  (status: 'ok' | 'error'): Script =>
  ({ responseName, messages }) => {
    const said = messages.map(({ content }) => content).join('\n');
    if (responseName === 'plan') {
      return said.includes('"phase":"execution"')
        ? { json: { discovery: [], execution: [step('tell', 'Read notes.md')] } }
        : { json: { discovery: [step('look', 'Read the index.md')], execution: [] } };
    }
    if (responseName === 'judge') return { json: { choice: 'file-clerk', why: 'files' } };
    if (responseName === 'answer') return { json: { answer: 'The notes say one.' } };
    const isLook = said.includes('Read the index.md') && !said.includes('Read notes.md');
    const args = isLook
      ? { status: 'error', result: 'The index is empty.' }
      : { status, result: 'one' };
    return { tool_calls: [{ name: 'final', args }] };
  };

const step = (id: string, description: string) => ({ id, description, depends_on: [] });

async function explore(status: 'ok' | 'error') {
  server = await startModelServer({ vendor: 'openai', script: explorer(status) });
  const ran = await sandbox.runJson(
    ['run', '--provider', 'openai', '--model', server.model, 'Tell me what the notes say'],
    { CAPSTAN_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY },
  );
  const plans = server.chats.filter(({ responseName }) => responseName === 'plan');
  return { ...ran, second: plans.at(-1)?.messages.at(-1)?.content ?? '' };
}

describe('a run with a failed discovery step', () => {
  it('plans from the failure, completes if the execution does, and names the failure in its answer', async () => {
    const { document, exitCode, second } = await explore('ok');
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 0, status: 'completed' });
    expect(second).toContain('The index is empty.');
    expect(document.subtasks.map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect(document.answer).toBe(
      'The notes say one.\n\nFailed steps:\n\n- Read the index.md: The index is empty.',
    );
  });

  it('fails if the execution does', async () => {
    const { document, exitCode } = await explore('error');
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 1, status: 'failed' });
  });
});
