import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const KEY = 'key-0123456789abcdef0123456789abcdef';

/** Where the run is made, and an environment with nothing but Capstan. */
let sandbox: Sandbox;
let elsewhere: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
  elsewhere = createSandbox();
});
afterEach(() => {
  sandbox.remove();
  elsewhere.remove();
});

const put = (name: string, text: string) => writeFileSync(join(sandbox.workspace, name), text);
const database = () => join(sandbox.home, 'capstan/state/capstan.db');
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

interface ReplayDocument {
  readonly identical: boolean;
  readonly status: string;
  readonly reason: string | null;
  readonly answer: string | null;
  readonly attempts_started: number;
  readonly attempts_not_started: readonly { readonly error: { readonly code: string } }[];
  readonly capsules: readonly { readonly id: string; readonly state: string }[];
  readonly divergence: {
    readonly where: string;
    readonly recorded: string;
    readonly now: string;
  } | null;
}

/** Replays on the database of `sandbox`, from an empty workspace and home. With `tmp` in a process with that temporary folder. */
async function replay(named: string, { tmp }: { readonly tmp?: string } = {}) {
  const words = ['replay', named, '--json'];
  const environment = { CAPSTAN_HOME: join(sandbox.home, 'capstan') };
  const { stdout, stderr, exitCode } =
    tmp === undefined
      ? await elsewhere.run(words, environment)
      : await elsewhere.start(words, { ...environment, TMPDIR: tmp }).ended;
  return { exitCode, stderr, document: JSON.parse(stdout || '{}') as ReplayDocument };
}

async function offlineRun(task: string, ...args: string[]) {
  const { document } = await sandbox.runJson(['run', '--provider', 'offline', ...args, task]);
  return document;
}

const countAndCopy =
  'Count the lines of notes.txt and save the result as count.md, then copy count.md to copy.md';

/** A capsule of the person's own, whose handler is this code. */
function addCapsule(id: string, handler: string | undefined, home = sandbox.home): string {
  const dir = join(home, 'capstan/data/agents', id);
  mkdirSync(dir, { recursive: true });
  const start =
    handler === undefined
      ? 'start({});'
      : `start({ handlers: () => require('./handlers.cjs').handlers });`;
  const manifest = {
    id,
    name: id,
    version: '1.0.0',
    description: 'Does what its test needs.',
    tags: [],
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: {
      tools: { file_io: { paths: ['**'] }, terminal: { commands: ['**'] } },
      services: [],
    },
    skills: [],
    task_kinds: [
      { name: 'work', mode: handler === undefined ? 'agentic' : 'handler', description: 'Works.' },
    ],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';\nconst { start } = require(process.env.CAPSTAN_SDK);\n${start}\n`,
  );
  if (handler !== undefined) writeFileSync(join(dir, 'handlers.cjs'), handler);
  return dir;
}

const reader = (more = '') => `exports.handlers = { async work({ call, request }) {
  const { content } = await call('file_io', { operation: 'read', path: 'notes.txt' }, 'to read');
  ${more}
  return { text: 'It says ' + content };
} };`;

const plan = {
  discovery: [{ id: 'look', description: 'Read poem.txt', depends_on: [] }],
  execution: [],
};
const second = {
  discovery: [],
  execution: [
    { id: 'write', description: 'Write the poem in capitals to loud.txt', depends_on: ['look'] },
  ],
};
const poet: Script = (request) => {
  const said = request.messages.map(({ content }) => content).join('\n');
  const documents: Record<string, unknown> = {
    plan: said.includes('"phase":"execution"') ? second : plan,
    judge: { choice: 'file-clerk', why: 'files' },
    answer: { answer: 'The poem is loud now.' },
  };
  const { responseName } = request;
  return responseName === undefined ? stepOf(request) : { json: documents[responseName] };
};

function stepOf({ messages }: ScriptedRequest) {
  const isWriting = messages[0]?.content.includes('Write the poem') === true;
  if (!messages.some(({ role }) => role === 'tool')) {
    const args = isWriting
      ? { operation: 'write', path: 'loud.txt', content: 'ROSES ARE RED\n' }
      : { operation: 'read', path: 'poem.txt' };
    return { tool_calls: [{ name: 'file_io', args }] };
  }
  const result = isWriting ? 'Wrote loud.txt.' : 'Roses are red';
  const args = { status: 'ok', result, remember: ['It is short.'] };
  return { tool_calls: [{ name: 'final', args }] };
}

describe('the replay of a run without a model', () => {
  it('produces the same bytes without workspace and home, and writes only to its own folder', async () => {
    put('notes.txt', 'one\ntwo\nthree\n');
    const run = await offlineRun(countAndCopy);
    rmSync(sandbox.workspace, { recursive: true });
    const scratch = join(elsewhere.home, 'tmp');
    mkdirSync(scratch);
    const before = sha256(database());
    const { exitCode, document } = await replay(run.run_id, { tmp: scratch });
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({ identical: true, status: 'completed', divergence: null });
    expect(document.answer).toBe(run.answer);
    expect(document.attempts_started).toBe(3);
    expect(sha256(database())).toBe(before);
    expect(existsSync(sandbox.workspace)).toBe(false);
    expect(readdirSync(elsewhere.workspace)).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('says in one line that it is identical', async () => {
    put('notes.txt', 'one\n');
    const { run_id } = await offlineRun('Count the lines of notes.txt');
    const { stdout, exitCode } = await sandbox.run(['replay', run_id]);
    expect(stdout).toMatch(/^replayed: identical · completed · answer [0-9a-f]{64}$/m);
    expect(exitCode).toBe(0);
  });

  it('ends as the run did if that was denied', async () => {
    put('keep.txt', 'mine\n');
    const run = await offlineRun('Run `rm keep.txt`', '--approve-mode', 'deny');
    expect(run.reason).toBe('denied');
    const { exitCode, document } = await replay(run.run_id);
    expect({ exitCode, ...document }).toMatchObject({
      exitCode: 0,
      identical: true,
      status: 'failed',
      reason: 'denied',
    });
  });

  it('does not repeat effects', async () => {
    put('keep.txt', 'mine\n');
    const run = await offlineRun('Run `rm keep.txt`', '--approve-mode', 'allow');
    expect(run.status).toBe('completed');
    put('keep.txt', 'again\n');
    expect((await replay(run.run_id)).document.identical).toBe(true);
    expect(readFileSync(join(sandbox.workspace, 'keep.txt'), 'utf8')).toBe('again\n');
  });

  it('tells a capsule again that the service does not exist', async () => {
    const dir = addCapsule('caller', 'exports.handlers = {};');
    writeFileSync(
      join(dir, 'entrypoint.cjs'),
      `const lines = require('node:readline').createInterface({ input: process.stdin });
      const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
      const request = { kind: 'http', service: 'weather', method: 'GET', path: '/now' };
      let isFirst = true;
      lines.on('line', (line) => {
        if (isFirst) say({ type: 'api_call_intent', request });
        else say({ type: 'agent_response', status: 'ok', result: JSON.parse(line).error });
        isFirst = false;
      });`,
    );
    const run = await offlineRun('Ask for the weather', '--capsule', 'caller');
    expect(run).toMatchObject({ status: 'completed' });
    expect(run.answer).toContain('SERVICE_UNKNOWN');
    expect((await replay(run.run_id)).document).toMatchObject({ identical: true });
  });

  it('refuses a run whose time ran out', async () => {
    const run = await offlineRun('Run `sleep 600`', '--approve-mode', 'allow', '--timeout', '2');
    expect(run.reason).toBe('deadline');
    expect((await replay(run.run_id)).stderr).toContain('it exceeded its time limit');
  });

  it('refuses a parked run, and says how to continue it', async () => {
    put('keep.txt', 'mine\n');
    const run = await offlineRun('Run `rm keep.txt`');
    expect(run.status).toBe('parked');
    const { exitCode, stderr } = await replay(run.run_id);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`capstan resume ${run.run_id.slice(-8)}`);
  });

  it('is identical for a run that was killed in the middle of a command, and finished after a person said that it had happened', async () => {
    addCapsule(
      'writer',
      `exports.handlers = { async work({ call }) {
        const command = 'echo done >> ledger.txt; sleep 20';
        await call('terminal', { access: 'write', command }, 'to write');
        return { text: 'It is written.' };
      } };`,
    );
    const { child, ended } = sandbox.start([
      ...['run', '--provider', 'offline', '--approve-mode', 'allow', '--capsule', 'writer'],
      'Write the ledger',
    ]);
    await expect
      .poll(() => existsSync(join(sandbox.workspace, 'ledger.txt')), { timeout: 10_000 })
      .toBe(true);
    child.kill('SIGKILL');
    await ended;
    const [killed] = JSON.parse((await sandbox.run(['runs', 'list', '--all', '--json'])).stdout);
    const { document: parked } = await sandbox.runJson(['resume', killed.run_id]);
    const [question] = parked.approvals.filter(({ status }) => status === 'pending');
    expect(question?.kind).toBe('unknown');
    await sandbox.run(['approvals', 'answer', question?.id ?? '', 'it_happened']);
    const { document } = await sandbox.runJson(['resume', killed.run_id]);
    expect(document.status).toBe('completed');
    expect(readFileSync(join(sandbox.workspace, 'ledger.txt'), 'utf8')).toBe('done\n');
    expect((await replay(killed.run_id)).document).toMatchObject({
      identical: true,
      answer: document.answer,
    });
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('is identical for a run that was parked, answered and resumed', async () => {
    put('keep.txt', 'mine\n');
    const run = await offlineRun('Run `rm keep.txt`');
    const [question] = run.approvals;
    await sandbox.run(['approvals', 'approve', question?.id ?? '']);
    const { document: resumed } = await sandbox.runJson(['resume', run.run_id]);
    expect(resumed.status).toBe('completed');
    expect((await replay(run.run_id)).document).toMatchObject({
      identical: true,
      answer: resumed.answer,
    });
  });
});

describe('the replay of a run with a model', () => {
  async function modelRun(script: Script, args: string[] = [], more: Record<string, string> = {}) {
    put('poem.txt', 'Roses are red\n');
    const server = await startModelServer({ vendor: 'openai', script });
    const task = 'Rewrite poem.txt in capitals';
    try {
      const { document } = await sandbox.runJson(
        ['run', '--provider', 'openai', '--model', server.model, ...args, task],
        { CAPSTAN_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY, ...more },
      );
      return document;
    } finally {
      await server.close();
    }
  }

  it('plans, routes, works and answers again with the server gone and no key', async () => {
    const run = await modelRun(poet);
    expect(run.status).toBe('completed');
    rmSync(join(sandbox.workspace, 'loud.txt'));
    const { exitCode, document } = await replay(run.run_id);
    expect({ exitCode, divergence: document.divergence }).toEqual({
      exitCode: 0,
      divergence: null,
    });
    expect(document.answer).toBe('The poem is loud now.');
    expect(document.attempts_started).toBe(2);
    expect(existsSync(join(sandbox.workspace, 'loud.txt'))).toBe(false);
  });

  it('travels as one file without the key, and is the same on a machine that knows nothing', async () => {
    const run = await modelRun(poet);
    const file = join(elsewhere.workspace, 'run.json');
    const exported = await sandbox.run(['runs', 'export', run.run_id, '--out', file], {
      OPENAI_API_KEY: KEY,
    });
    expect(exported.exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    sandbox.remove();
    const { stdout, exitCode } = await elsewhere.run(['replay', 'run.json', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ identical: true, answer: run.answer });
  });

  it('removes secrets that are known when it is exported, wherever they are', async () => {
    const secret = 'a-word-that-is-nobody-elses';
    put('notes.txt', `${secret}\n`);
    addCapsule('reader', reader());
    const run = await offlineRun('Read notes.txt', '--capsule', 'reader');
    const { stdout } = await sandbox.run(['runs', 'export', run.run_id, '--out', '-'], {
      ANTHROPIC_API_KEY: secret,
    });
    expect(stdout).toContain('capstan-recording');
    expect(stdout).not.toContain(secret);
  });

  it('reads back that a capsule was created for a subtask, and rebuilds it if it is not installed', async () => {
    const founder: Script = (request) => {
      if (request.responseName === 'judge') return { json: { choice: null, why: 'none fits' } };
      if (request.responseName === 'profile') {
        const profile = { id: 'bard', name: 'Bard', description: 'Rewrites poems.' };
        return { json: { ...profile, skills: [], tools: ['file_io'] } };
      }
      return poet(request);
    };
    const run = await modelRun(founder, ['--approve-mode', 'allow'], {
      CAPSTAN_ROUTE_TAKE: '2',
    });
    expect(run.subtasks.map(({ capsule_id }) => capsule_id)).toContain('bard');
    expect((await replay(run.run_id)).document).toMatchObject({ divergence: null });
    const file = join(elsewhere.workspace, 'run.json');
    await sandbox.run(['runs', 'export', run.run_id, '--out', file]);
    const { stdout } = await elsewhere.run(['replay', file, '--json', '--strict']);
    expect(JSON.parse(stdout)).toMatchObject({ identical: true });
    expect(JSON.parse(stdout).capsules).toContainEqual(
      expect.objectContaining({ id: 'bard', state: 'rebuilt' }),
    );
  });

  it('rebuilds a capsule that is not installed if it runs only the SDK', async () => {
    const dir = addCapsule('poet', undefined);
    const run = await modelRun(poet, ['--capsule', 'poet']);
    expect(run.status).toBe('completed');
    rmSync(dir, { recursive: true });
    expect((await replay(run.run_id)).stderr).toContain('"poet" is not installed');
    addCapsule('poet', undefined);
    const file = join(elsewhere.workspace, 'run.json');
    await sandbox.run(['runs', 'export', run.run_id, '--out', file]);
    const { stdout } = await elsewhere.run(['replay', file, '--json', '--strict']);
    expect(JSON.parse(stdout)).toMatchObject({
      identical: true,
      capsules: [{ id: 'poet', state: 'rebuilt' }],
    });
  });

  it('ends as the run did if the vendor was unavailable', async () => {
    const run = await modelRun((request) =>
      request.responseName === 'plan'
        ? poet(request)
        : { status: 400, body: { error: { message: 'no such model' } } },
    );
    expect(run.status).toBe('failed');
    expect((await replay(run.run_id)).document).toMatchObject({
      divergence: null,
      identical: true,
      reason: run.reason,
    });
  });
});

describe('a replay that differs', () => {
  it('names the subtask, the recorded and the new value if a record was changed', async () => {
    put('notes.txt', 'one\ntwo\n');
    addCapsule('reader', reader());
    const { run_id } = await offlineRun('Read notes.txt', '--capsule', 'reader');
    const db = new Database(database());
    db.prepare("UPDATE intents SET outcome = replace(outcome, 'two', 'six')").run();
    db.close();
    const { exitCode, document } = await replay(run_id);
    expect(exitCode).toBe(1);
    expect(document.divergence?.where).toContain('subtask s1, attempt 1 of reader, its final');
    expect(document.divergence?.recorded).toContain('two');
    expect(document.divergence?.now).toContain('six');
  });

  it('says which capsule changed, and what it requests now', async () => {
    put('notes.txt', 'one\n');
    addCapsule('reader', reader());
    const { run_id } = await offlineRun('Read notes.txt', '--capsule', 'reader');
    addCapsule('reader', reader().replace('notes.txt', 'other.txt'));
    const { exitCode, stdout, stderr } = await sandbox.run(['replay', run_id]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The capsule "reader" changed since the run');
    expect(stdout).toContain('request 1');
    expect(stdout).toMatch(/recorded: .*notes\.txt/);
    expect(stdout).toMatch(/now: .*other\.txt/);
  });

  it('names the first request that a capsule no longer makes', async () => {
    put('notes.txt', 'one\n');
    const twice = `await call('file_io', { operation: 'list', path: '.' }, 'to look');`;
    addCapsule('reader', reader(twice));
    const { run_id } = await offlineRun('Read notes.txt', '--capsule', 'reader');
    addCapsule('reader', reader());
    const { document } = await replay(run_id);
    expect(document.divergence?.recorded).toContain('"list"');
    expect(document.divergence?.now).toContain('without that request');
  });

  it('continues with a changed capsule that makes the same requests, and refuses it with --strict', async () => {
    put('notes.txt', 'one\n');
    addCapsule('reader', reader());
    const { run_id } = await offlineRun('Read notes.txt', '--capsule', 'reader');
    addCapsule('reader', `${reader()}\n// the same`);
    expect((await replay(run_id)).document).toMatchObject({
      identical: true,
      capsules: [{ id: 'reader', state: 'changed' }],
    });
    const strict = await sandbox.run(['replay', run_id, '--strict']);
    expect(strict.exitCode).toBe(1);
    expect(strict.stderr).toContain('"reader" changed since the run');
  });

  it('uses the recorded end of an attempt that crashed, and repeats the decisive one', async () => {
    put('notes.txt', 'one\n');
    put('again.txt', 'no');
    const crashOnce = 'if (request.attempt === 1) process.exit(7);';
    addCapsule('reader', reader(crashOnce));
    const run = await offlineRun('Read notes.txt', '--capsule', 'reader');
    expect(run.subtasks[0]).toMatchObject({ status: 'completed', attempts: 2 });
    expect((await replay(run.run_id)).document).toMatchObject({
      identical: true,
      attempts_started: 1,
      attempts_not_started: [{ error: { code: 'CAPSULE_FELL_SILENT' } }],
    });
  });
});

describe('a recording', () => {
  async function exported() {
    put('notes.txt', 'one\ntwo\n');
    const { run_id } = await offlineRun('Count the lines of notes.txt');
    const file = join(sandbox.workspace, 'run.json');
    await sandbox.run(['runs', 'export', run_id, '--out', file]);
    return file;
  }

  it.each([
    ['an answer of a tool', 'intents', '"content": "one', '"content": "six'],
    ['the task', 'run', '"task": "Count', '"task": "Weigh'],
    ['a hash of a capsule', 'capsules', '"origin": "shipped"', '"origin": "personal"'],
  ])('is refused, naming the part, if %s was changed in the file', async (_, part, from, to) => {
    const file = await exported();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
    const { exitCode, stderr } = await elsewhere.run(['replay', file]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('it was changed after it was written, in: ');
    expect(stderr).toContain(part);
  });

  it.each([
    ['no JSON', 'x', 'it is not JSON'],
    ['another document', '{}', 'it is not a recording of a Capstan run'],
    ['without a version', '{"format":"capstan-recording"}', 'its version is missing'],
    ['of a later form', '{"format":"capstan-recording","version":2}', 'newer version of Capstan'],
  ])('is refused if it is %s', async (_, text, problem) => {
    put('run.json', text);
    const { exitCode, stderr } = await sandbox.run(['replay', 'run.json']);
    expect({ exitCode, isSaid: stderr.includes(problem) }).toEqual({ exitCode: 1, isSaid: true });
  });

  it('is refused if there is no such file or run', async () => {
    expect((await sandbox.run(['replay', 'none.json'])).stderr).toContain('there is no such file');
    expect(await sandbox.run(['replay', '0199'])).toMatchObject({ exitCode: 2 });
  });
});

describe('a fork', () => {
  const numberOf = (list: string, request: RegExp) =>
    list
      .split('\n')
      .find((line) => request.test(line))
      ?.trim()
      .split(/\s+/)[0] ?? 'none';

  it('continues from a request, repeats no effect before it, and leaves the first run unchanged', async () => {
    put('notes.txt', 'one\ntwo\nthree\n');
    const run = await offlineRun(countAndCopy);
    const before = (await sandbox.run(['runs', 'show', run.run_id, '--json'])).stdout;
    const { stdout: list } = await sandbox.run(['fork', run.run_id]);
    const at = numberOf(list, /file_io\.write\s+count\.md/);
    const copy = join(sandbox.home, 'copy');
    cpSync(sandbox.workspace, copy, { recursive: true });
    rmSync(join(copy, 'copy.md'));
    const { mtimeMs } = statSync(join(copy, 'count.md'));
    const { exitCode, document, stderr } = await sandbox.runJson([
      'fork',
      run.run_id,
      '--at',
      at,
      '--workspace',
      copy,
    ]);
    expect(stderr).toContain('as expected');
    expect({ exitCode, answer: document.answer }).toEqual({ exitCode: 0, answer: run.answer });
    expect(statSync(join(copy, 'count.md')).mtimeMs).toBe(mtimeMs);
    expect(readFileSync(join(copy, 'copy.md'), 'utf8')).toContain('3 lines');
    expect((await sandbox.run(['runs', 'show', run.run_id, '--json'])).stdout).toBe(before);
    expect((await replay(document.run_id)).document.identical).toBe(true);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('diverges from there, without a second plan or routing', async () => {
    put('poem.txt', 'Roses are red\n');
    const abortAttempt: Script = (request) =>
      request.responseName === undefined && request.messages[0]?.content.includes('Write the poem')
        ? { tool_calls: [{ name: 'final', args: { status: 'error', result: 'Too hard.' } }] }
        : poet(request);
    let script = abortAttempt;
    const server = await startModelServer({ vendor: 'openai', script: (one) => script(one) });
    const environment = { CAPSTAN_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY };
    try {
      const { document: failed } = await sandbox.runJson(
        ['run', '--provider', 'openai', '--model', server.model, 'Rewrite poem.txt in capitals'],
        environment,
      );
      expect(failed.status).toBe('failed');
      const { stdout: list } = await sandbox.run(['fork', failed.run_id]);
      const before = server.chats.length;
      script = poet;
      const at = numberOf(list, /look +file_io\.read +poem\.txt/);
      const { document } = await sandbox.runJson(
        ['fork', failed.run_id, '--at', at, '--workspace', sandbox.workspace],
        environment,
      );
      expect(document).toMatchObject({ status: 'completed', answer: 'The poem is loud now.' });
      const asked = server.chats.slice(before);
      expect(asked.filter(({ responseName }) => responseName === 'plan')).toHaveLength(1);
      expect(asked.filter(({ responseName }) => responseName === undefined)).toHaveLength(3);
      expect((await replay(document.run_id)).document.identical).toBe(true);
      expect((await replay(failed.run_id)).document).toMatchObject({
        identical: true,
        status: 'failed',
      });
    } finally {
      await server.close();
    }
  });

  it('refuses a folder whose files differ from its history, unless it is forced', async () => {
    put('notes.txt', 'one\n');
    const run = await offlineRun('Count the lines of notes.txt and save the result as count.md');
    const { stdout: list } = await sandbox.run(['fork', run.run_id]);
    const at = ['--at', numberOf(list, /file_io\.write/)];
    const where = ['--workspace', elsewhere.workspace];
    writeFileSync(join(elsewhere.workspace, 'count.md'), 'something else');
    const refused = await sandbox.run(['fork', run.run_id, ...at, ...where]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/differs +count\.md/);
    const runs = JSON.parse((await sandbox.run(['runs', 'list', '--all', '--json'])).stdout);
    expect(runs).toHaveLength(1);
    const forced = await sandbox.run(['fork', run.run_id, ...at, ...where, '--force', '-q']);
    expect(forced.stderr).toContain('differs');
    expect(readFileSync(join(elsewhere.workspace, 'count.md'), 'utf8')).toBe('something else');
  });

  it('requires an existing folder and request', async () => {
    put('notes.txt', 'one\n');
    const { run_id } = await offlineRun('Count the lines of notes.txt');
    expect((await sandbox.run(['fork', run_id])).exitCode).toBe(2);
    expect((await sandbox.run(['fork', run_id, '--at', '1'])).stderr).toContain('--workspace');
    const unknown = await sandbox.run(['fork', run_id, '--at', '99', '--workspace', '.']);
    expect(unknown.stderr).toContain('"99" names no request of the run');
  });
});
