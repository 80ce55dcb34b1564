import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer, ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const TASK = 'Rewrite poem.txt in capitals';
const MESSAGE = 'Only the first line, please';
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

type Turn = (request: ScriptedRequest, results: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A model whose capsule takes the given turns. */
async function model(turn: Turn, then?: string) {
  const step = { id: 'write', description: TASK, depends_on: [], capsule: 'file-clerk' };
  const next = { ...step, id: 'next', description: then ?? '' };
  const steps = then === undefined ? [step] : [step, { ...next, depends_on: ['write'] }];
  /** A message makes the model plan the rest again. */
  const planFor = (request: ScriptedRequest) => {
    const isAgain = JSON.stringify(request.messages).includes(MESSAGE);
    return { discovery: [], execution: isAgain ? [next] : steps };
  };
  const script: Script = (request) => {
    if (request.responseName === 'plan') return { json: planFor(request) };
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

  it('asks nobody with an approve mode, and continues with an assumption', async () => {
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

/** A promise and the function that resolves it. */
function signalOf() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

/** How often a reply in the recording of a run carried this message. */
async function timesDelivered(runId: string, text: string): Promise<number> {
  const file = join(sandbox.home, `${runId}.json`);
  const exported = await sandbox.run(['runs', 'export', runId, '--out', file]);
  expect(exported).toMatchObject({ exitCode: 0 });
  const compact = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
  return compact.split(`"messages":["${text}"]`).length - 1;
}

const taskOf = ({ messages }: ScriptedRequest) => messages[0]?.content ?? '';
const toldIn = (task: string) => (task.includes(MESSAGE) ? 'told' : 'not told');

/** Whether the model got the message as a turn of the person. */
const heardIn = ({ messages }: ScriptedRequest) =>
  messages.some(({ role, content }) => role === 'user' && content === MESSAGE)
    ? 'heard'
    : 'not heard';

describe('a message to a run', () => {
  it('from another process reaches the active attempt once, and the steps after it', async () => {
    const sent = signalOf();
    const asked = signalOf();
    await model(async (request, results) => {
      if (taskOf(request).includes('Check poem.txt')) return final(toldIn(taskOf(request)));
      if (results > 0) return final(heardIn(request));
      asked.resolve();
      await sent.promise;
      return call('file_io', { operation: 'read', path: 'poem.txt' });
    }, 'Check poem.txt');
    const run = sandbox.start([...start(), '--json'], environment);
    await asked.promise;
    const { stdout } = await sandbox.run(['runs', 'list', '--all', '--json']);
    const [{ run_id: id }] = JSON.parse(stdout) as [{ run_id: string }];
    const told = await sandbox.run(['runs', 'message', id.slice(-8), MESSAGE]);
    expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('next step') });
    sent.resolve();
    const ended = await run.ended;
    expect(ended.exitCode).toBe(0);
    const document = JSON.parse(ended.stdout);
    const results = document.subtasks.map(({ result }: { result: unknown }) => result);
    expect(results).toEqual(['heard', null, 'told']);
    expect(await timesDelivered(document.run_id, MESSAGE)).toBe(1 + 1);
    expect(await sandbox.run(['replay', document.run_id])).toMatchObject({ exitCode: 0 });
  });

  /** Starts the run, interrupts it in a model call that gets no answer, and resumes it with the message. */
  async function stopAndTell(asked: Promise<void>) {
    const run = sandbox.start([...start(), '--json'], environment);
    await asked;
    run.child.kill('SIGINT');
    const parked = JSON.parse((await run.ended).stdout);
    expect(parked).toMatchObject({ status: 'parked', reason: 'interrupted' });
    const tell = ['runs', 'message', parked.run_id.slice(-8), MESSAGE];
    return (await sandbox.runJson(tell, environment)).document;
  }

  it('continues a run that was stopped, in the same attempt', async () => {
    const asked = signalOf();
    let calls = 0;
    await model((request, results) => {
      if (results === 0) return call('file_io', { operation: 'read', path: 'poem.txt' });
      calls += 1;
      if (calls > 1) return final(heardIn(request));
      asked.resolve();
      return { broken: 'silent' };
    });
    const { run_id, status, subtasks } = await stopAndTell(asked.promise);
    expect({ status, subtasks }).toMatchObject({
      status: 'completed',
      subtasks: [{ result: 'heard' }],
    });
    expect(await timesDelivered(run_id, MESSAGE)).toBe(1);
    expect(await sandbox.run(['replay', run_id])).toMatchObject({ exitCode: 0 });
  });

  it.each(['ok', 'error'])(
    'is in the first model call of a step that was stopped in it and ends with status %s',
    async (status) => {
      const asked = signalOf();
      const calls: string[] = [];
      await model((request) => {
        calls.push(toldIn(taskOf(request)));
        if (calls.length > 1) return call('final', { status, result: 'The end.' });
        asked.resolve();
        return { broken: 'silent' };
      });
      const { run_id } = await stopAndTell(asked.promise);
      expect(calls).toEqual(['not told', 'told']);
      expect(await timesDelivered(run_id, MESSAGE)).toBe(1);
      expect(await sandbox.run(['replay', run_id])).toMatchObject({ exitCode: 0 });
    },
  );
});

it.runIf(hasBubblewrap)(
  'the account of a run shows a whole program, and the files that it changed',
  async () => {
    const code = "import os\n\nwith open('loud.txt', 'w') as out:\n    out.write('LOUD')\n";
    await model((_request, results) =>
      results === 0 ? call('python_exec', { code, access: 'write' }) : final('done'),
    );
    const { document } = await sandbox.runJson(
      start('--approve-mode', 'allow', '--capsule', 'developer'),
      environment,
    );
    const shown = (await sandbox.run(['runs', 'show', document.run_id])).stdout;
    expect(shown).toContain(
      "        │ import os\n        │ \n        │ with open('loud.txt', 'w') as out:\n",
    );
    expect(shown).toContain('        new file loud.txt (capstan runs diff shows how)');
    const json = JSON.parse(
      (await sandbox.run(['runs', 'show', document.run_id, '--json'])).stdout,
    );
    expect(json.effects).toMatchObject([
      { program: code, files: [{ path: 'loud.txt', before: 'absent', by: 'program' }] },
    ]);
    const { stdout } = await sandbox.run(['runs', 'logs', document.run_id]);
    expect(stdout).toContain(JSON.stringify(code));
  },
);
