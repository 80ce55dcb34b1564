import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer, ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
let server: ModelServer | undefined;
beforeEach(() => {
  sandbox = createSandbox();
  writeFileSync(join(sandbox.workspace, 'poem.txt'), 'Roses are red\nViolets are blue\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  sandbox.remove();
});

interface Asked {
  readonly phase: string;
  readonly again?: string;
  readonly found: readonly { readonly subtask_id: string; readonly result: unknown }[];
  readonly unfinished?: readonly { readonly id: string; readonly status: string }[];
  readonly files?: { readonly names: readonly string[] };
  readonly capsules: readonly { readonly id: string; readonly tools?: readonly string[] }[];
}

const askedIn = ({ messages }: ScriptedRequest): Asked =>
  JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '{}');

const step = (id: string, description: string, changes: object = {}) => ({
  id,
  description,
  depends_on: [],
  capsule: 'file-clerk',
  ...changes,
});

const call = (name: string, args: object): ScriptedAnswer => ({
  tool_calls: [{ name, args: { ...args } }],
});
const ok = (result: string) => call('final', { status: 'ok', result });
const isWork = ({ responseName }: ScriptedRequest) => responseName === undefined;
const says = ({ messages }: ScriptedRequest, text: string) =>
  messages[0]?.content.includes(text) === true;
const hasResult = ({ messages }: ScriptedRequest) => messages.some(({ role }) => role === 'tool');

const write = (request: ScriptedRequest, path: string, content: string) =>
  hasResult(request)
    ? ok(`Wrote ${path}.`)
    : call('file_io', { operation: 'write', path, content });

async function serve(script: Script) {
  const judged: Script = (request) =>
    request.responseName === 'judge'
      ? { json: { choice: 'file-clerk', why: 'files' } }
      : script(request);
  server = await startModelServer({ vendor: 'ollama', script: judged });
  const environment = { CAPSTAN_BASE_URL: server.baseUrl };
  return { args: ['--provider', 'ollama', '--model', server.model], environment };
}

const TASK = 'Rewrite poem.txt in capitals, with a count of lines';

async function run(script: Script, task = TASK) {
  const { args, environment } = await serve(script);
  return sandbox.runJson(['run', ...args, task], environment);
}

const replayed = async (id: string) => (await sandbox.run(['replay', id])).exitCode;

const planCalls = () =>
  (server?.chats ?? []).filter(({ responseName }) => responseName === 'plan').map(askedIn);

describe('a plan', () => {
  it('of one step needs no model call besides the plan and the work', async () => {
    const { document } = await run((request) => {
      if (request.responseName === 'plan') {
        return { json: { execution: [step('s1', 'Shorter words', { writes: ['loud.txt'] })] } };
      }
      return write(request, 'loud.txt', 'ROSES');
    });
    expect(document).toMatchObject({ status: 'completed', answer: 'Wrote loud.txt.' });
    expect(server?.chats.map(({ responseName }) => responseName)).toEqual([
      'plan',
      undefined,
      undefined,
    ]);
    const work = server?.chats.find(isWork)?.messages[0]?.content ?? '';
    expect(work).toContain('Rewrite poem.txt in capitals, with a count of lines');
    expect(work).not.toContain('one step of a larger task');
    expect(document.subtasks).toMatchObject([{ capsule_id: 'file-clerk' }]);
  });

  it('is asked for with the tools of the capsules and the files that are neither ignored nor protected', async () => {
    const file = (path: string, text = '') => writeFileSync(join(sandbox.workspace, path), text);
    mkdirSync(join(sandbox.workspace, 'data'));
    file('data/a\u202eb.csv', '12345');
    file('.gitignore', 'ignored.txt\n');
    file('ignored.txt');
    file('.env', 'KEY=1');
    await run((request) =>
      request.responseName === 'plan'
        ? { json: { execution: [step('s1', 'x')] } }
        : ok('There are two lines.'),
    );
    const [asked] = planCalls();
    const names = asked?.files?.names ?? [];
    expect(names).toContain('poem.txt (31 bytes)');
    expect(names.join()).toContain('data/a\\u202eb.csv (5 bytes)');
    expect(names.join()).not.toMatch(/ignored\.txt|\.env/);
    const clerk = asked?.capsules.find(({ id }) => id === 'file-clerk');
    expect(clerk?.tools?.join()).toContain('file_io: list');
  });

  it('that is prose twice is replaced by one step with the whole task', async () => {
    const { document } = await run((request) =>
      request.responseName === 'plan' ? { text: 'I would look at it first.' } : ok('Two lines.'),
    );
    expect(document.status).toBe('completed');
    expect(document.subtasks).toHaveLength(1);
    expect(planCalls()).toHaveLength(2);
  });
});

const SAVE = 'Save the poem in capitals to the file loud.txt';

/** Reads, fails at the writing, and reaches the file by another plan. */
const mends: Script = (request) => {
  if (request.responseName === 'plan') return { json: { execution: planned(request) } };
  if (request.responseName !== undefined) return { json: { answer: 'The poem is loud now.' } };
  if (says(request, 'Your task:\n\nRead')) return ok('Roses are red');
  if (says(request, 'Your task:\n\nSave')) return write(request, 'loud.txt', 'ROSES');
  return call('final', { status: 'error', result: 'My pen is broken.' });
};

const planned = (request: ScriptedRequest) =>
  askedIn(request).again === 'failure'
    ? [step('write', SAVE, { depends_on: ['read'], writes: ['loud.txt'] })]
    : [
        step('read', 'Read poem.txt'),
        step('write', 'Write loud.txt', { depends_on: ['read'], writes: ['loud.txt'] }),
        step('check', 'Count the lines of loud.txt', { depends_on: ['write'] }),
      ];

describe('after a failed step', () => {
  it('the unfinished rest is planned once more, and completed steps keep their results', async () => {
    const { exitCode, document } = await run(mends);
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 0, status: 'completed' });
    expect(document.subtasks).toMatchObject([
      { id: 'read', status: 'completed', attempts: 1 },
      { id: 'write', status: 'failed', error: { message: 'My pen is broken.' } },
      { id: 'check', status: 'skipped', reason: 'dependency_failed' },
      { id: 'write_2', status: 'completed', depends_on: ['read'] },
    ]);
    expect(readFileSync(join(sandbox.workspace, 'loud.txt'), 'utf8')).toBe('ROSES');
    const [, again] = planCalls();
    expect(again?.found).toMatchObject([
      { subtask_id: 'read', result: 'Roses are red' },
      { subtask_id: 'write', result: { failed: 'My pen is broken.' } },
    ]);
    expect(again?.unfinished?.map(({ id, status }) => [id, status])).toEqual([
      ['write', 'failed'],
      ['check', 'not started'],
    ]);
    expect(document.answer).toContain('My pen is broken.');
    expect(await replayed(document.run_id)).toBe(0);
  });

  it('the failure stays if the second plan fails too: there is no third', async () => {
    const { exitCode, document } = await run((request) =>
      isWork(request) && says(request, 'Your task:\n\nSave')
        ? call('final', { status: 'error', result: 'Still broken.' })
        : mends(request),
    );
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 1, status: 'failed' });
    expect(planCalls()).toHaveLength(2);
    expect(document.subtasks.at(-1)).toMatchObject({ id: 'write_2', status: 'failed' });
  });

  it('the failure stays if nothing can replace the step, and the steps that depend on it are skipped', async () => {
    const { document } = await run((request) =>
      request.responseName === 'plan' && askedIn(request).again
        ? { json: { discovery: [], execution: [] } }
        : mends(request),
    );
    expect(document).toMatchObject({
      status: 'failed',
      subtasks: [{ status: 'completed' }, { status: 'failed' }, { status: 'skipped' }],
    });
  });

  it('of the discovery, the execution can complete, and the answer names the failure', async () => {
    const plans = [
      { discovery: [step('look', 'Look at poem.txt')] },
      { execution: [step('look', SAVE, { depends_on: ['look'] })] },
    ];
    const { exitCode, document } = await run((request) => {
      if (request.responseName === 'plan') return { json: plans.shift() };
      if (request.responseName === 'answer') return { json: { answer: 'Saved.' } };
      return says(request, 'Look at')
        ? call('final', { status: 'error', result: 'I am blind.' })
        : write(request, 'loud.txt', 'ROSES');
    });
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 0, status: 'completed' });
    expect(document.subtasks.map(({ id }: { id: string }) => id)).toEqual(['look', 'look_2']);
    expect(document.answer).toContain('I am blind.');
  });

  it('the model is not called again if only the model had failed', async () => {
    const { document } = await run((request) => {
      if (isWork(request) && says(request, 'Your task:\n\nWrite'))
        return { status: 400, body: { error: { message: 'no such model' } } };
      return mends(request);
    });
    expect(document).toMatchObject({ status: 'failed', reason: 'provider' });
    expect(document.answer).toContain('Roses are red');
    expect(document.answer).toContain('no such model');
    expect(planCalls()).toHaveLength(1);
    expect(server?.chats.some(({ responseName }) => responseName === 'answer')).toBe(false);
  });

  it('a run that is killed while it plans again continues with the same plan', async () => {
    let isKilled = false;
    const { args, environment } = await serve((request) => {
      const isAgain = request.responseName === 'plan' && askedIn(request).again !== undefined;
      if (!isAgain || isKilled) return mends(request);
      isKilled = true;
      started.child.kill('SIGKILL');
      return { broken: 'reset' };
    });
    const started = sandbox.start(['run', '--json', ...args, TASK], environment);
    await started.ended;
    const { exitCode, document } = await sandbox.runJson(['resume'], environment);
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 0, status: 'completed' });
    expect(document.subtasks).toMatchObject([
      { id: 'read', status: 'completed', attempts: 1 },
      { id: 'write', status: 'failed', attempts: 1 },
      { id: 'check', status: 'skipped' },
      { id: 'write_2', status: 'completed' },
    ]);
    expect(await replayed(document.run_id)).toBe(0);
  });
});

describe('a capsule that lacks an ability that a step needs', () => {
  it('passes it to the next one that has it, with the failure, and no further plan is made', async () => {
    const task = 'Summarize poem.txt in one line';
    const isSecond = ({ messages }: ScriptedRequest) =>
      messages[0]?.content.includes('I can not rename files.') === true;
    const { exitCode, document } = await run((request) => {
      if (request.responseName === 'plan')
        return { json: { execution: [step('s1', task, { capsule: undefined })] } };
      if (isSecond(request)) return ok('Two lines about flowers.');
      const result = 'I can not rename files.';
      return call('final', { status: 'error', result, needs: ['delete'] });
    }, task);
    expect({ exitCode, answer: document.answer }).toEqual({
      exitCode: 0,
      answer: 'Two lines about flowers.',
    });
    expect(document.subtasks).toMatchObject([{ capsule_id: 'file-clerk', attempts: 2 }]);
    expect(planCalls()).toHaveLength(1);
    expect(await replayed(document.run_id)).toBe(0);
  });
});

describe('a message of the person', () => {
  it('is planned into the steps that have not started, once, and a replay does the same', async () => {
    const plans = [
      {
        execution: [
          step('read', 'Read poem.txt'),
          step('write', 'Write loud.txt', { depends_on: ['read'] }),
        ],
      },
      { execution: [step('write', SAVE, { depends_on: ['read'] })] },
    ];
    const { args, environment } = await serve(async (request) => {
      if (request.responseName === 'plan') return { json: plans.shift() };
      if (!isWork(request)) return { json: { answer: 'Done.' } };
      return isReading(request) ? messageFirst(request) : write(request, 'loud.txt', 'ROSEN');
    });
    const isReading = (request: ScriptedRequest) => says(request, 'Your task:\n\nRead');
    const messageFirst = async (request: ScriptedRequest) => {
      if (hasResult(request)) return ok('Roses are red');
      const { document } = await sandbox.runJson(['runs', 'show', 'last']);
      await sandbox.run(['runs', 'message', document.run_id, 'In German, please']);
      return call('file_io', { operation: 'read', path: 'poem.txt' });
    };
    const { exitCode, document } = await sandbox.runJson(['run', ...args, TASK], environment);
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 0, status: 'completed' });
    expect(document.subtasks).toMatchObject([
      { id: 'read', status: 'completed', attempts: 1 },
      { id: 'write', status: 'skipped', reason: 'cancelled', attempts: 0 },
      { id: 'write_2', status: 'completed' },
    ]);
    const asked = planCalls();
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({
      messages: ['In German, please'],
      unfinished: [{ id: 'write' }],
    });
    expect(await replayed(document.run_id)).toBe(0);
  });
});

it('a retry receives the earlier failures, with the end of stderr and the remaining changes', async () => {
  const dir = join(sandbox.home, 'capstan/data/agents/shaky');
  mkdirSync(dir, { recursive: true });
  const manifest = {
    ...{ id: 'shaky', name: 'shaky', version: '1.0.0', description: 'Shakes.', tags: [] },
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools: { file_io: { paths: ['**'] } }, services: [] },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.' }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `require(process.env.CAPSTAN_SDK).start({ handlers: () => ({ async work({ call, request }) {
      await call('file_io', { operation: 'write', path: 'half.txt', content: 'half' }, 'to save');
      if (request.attempt > 1) return { text: JSON.stringify(request.context.failures) };
      process.stderr.write('the lamp fell over');
      process.exit(7);
    } }) });`,
  );
  const { document } = await sandbox.runJson([
    ...['run', '--provider', 'offline', '--approve-mode', 'allow', '--capsule', 'shaky', 'Shake'],
  ]);
  expect(JSON.parse(document.answer ?? '[]')).toMatchObject([
    {
      capsule_id: 'shaky',
      code: 'CAPSULE_FELL_SILENT',
      stderr: expect.stringContaining('the lamp fell over'),
      effects: [{ operation: 'file_io.write', target: 'half.txt' }],
    },
  ]);
});
