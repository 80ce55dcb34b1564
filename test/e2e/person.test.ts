import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer, ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const TASK = 'Rewrite poem.txt in capitals';
const QUESTION = { question: 'With or without commas?', choices: ['with', 'without'] };

let sandbox: Sandbox;
let server: ModelServer;
let environment: Record<string, string>;
beforeEach(async () => {
  sandbox = createSandbox();
  writeFileSync(join(sandbox.workspace, 'poem.txt'), 'Roses are red, violets are blue\n');
});
afterEach(async () => {
  await server.close();
  sandbox.remove();
});

/** A model whose capsule has one step, and takes the given turns. */
async function model(turn: (request: ScriptedRequest, results: number) => ScriptedAnswer) {
  const script: Script = (request) => {
    const step = { id: 'write', description: TASK, depends_on: [], capsule: 'file-clerk' };
    if (request.responseName === 'plan') return { json: { discovery: [], execution: [step] } };
    if (request.responseName === 'judge') return { json: { choice: 'file-clerk', why: 'files' } };
    if (request.responseName === 'answer') return { json: { answer: 'It is done.' } };
    return turn(request, request.messages.filter(({ role }) => role === 'tool').length);
  };
  server = await startModelServer({ vendor: 'ollama', script });
  environment = { CAPSTAN_BASE_URL: server.baseUrl };
}

const call = (name: string, args: Record<string, unknown>): ScriptedAnswer => ({
  tool_calls: [{ name, args }],
});
const final = (result: string) => call('final', { status: 'ok', result });
const start = (...args: string[]) => [
  'run',
  '--provider',
  'ollama',
  '--model',
  server.model,
  ...args,
  TASK,
];
const lastResult = ({ messages }: ScriptedRequest) =>
  messages.findLast(({ role }) => role === 'tool')?.content ?? '';

describe('a capsule that asks the person', () => {
  it('waits with its run, and gets the answer in the same attempt, once', async () => {
    await model((request, results) =>
      results === 0 ? call('ask_person', QUESTION) : final(`It said: ${lastResult(request)}`),
    );
    const parked = await sandbox.runJson(start(), environment);
    expect(parked.exitCode).toBe(3);
    const { run_id, next, approvals } = parked.document;
    expect(approvals).toMatchObject([
      { kind: 'question', question: 'file-clerk asks: With or without commas?', status: 'pending' },
    ]);
    expect(next).toMatchObject([
      { action: 'answer', choices: ['with', 'without'], free_text: false },
      { action: 'resume' },
    ]);
    const id = approvals[0]?.id ?? '';
    const answered = await sandbox.run(['approvals', 'answer', id.slice(-8), '2']);
    expect(answered).toMatchObject({ exitCode: 0, stderr: '' });
    const chats = server.chats.length;
    const { exitCode, document } = await sandbox.runJson(['resume', run_id], environment);
    expect(exitCode).toBe(0);
    expect(document.subtasks).toMatchObject([
      { attempts: 2, result: expect.stringContaining('{"answer":"without"}') },
    ]);
    expect(document.approvals).toHaveLength(1);
    const again = server.chats.slice(chats).filter((chat) => chat.responseName === undefined);
    expect(again).toHaveLength(1);
  });

  it('asks nobody with an approve mode, and goes on with an assumption', async () => {
    await model((request, results) =>
      results === 0 ? call('ask_person', QUESTION) : final(`Assumed: ${lastResult(request)}`),
    );
    const { exitCode, document } = await sandbox.runJson(
      start('--approve-mode', 'allow'),
      environment,
    );
    expect(exitCode).toBe(0);
    expect(document.approvals).toEqual([]);
    expect(document.subtasks).toMatchObject([
      { result: expect.stringContaining('nobody_available') },
    ]);
  });
});
