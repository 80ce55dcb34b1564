import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script } from '../model-server/script.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let capstan: Capstan;
let server: ModelServer | undefined;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('n.txt', 'b\na\n');
  person.writeProject('save.sh', 'echo x > ~/report.txt\n');
});
afterEach(async () => {
  await capstan.close();
  await server?.close();
  server = undefined;
  person.remove();
});

async function run(task: string, options: object = {}, env = {}) {
  capstan = await openCapstan({ env: { ...person.environment, ...env }, cwd: person.project });
  const started = await capstan.runs.start({
    ...{ task, workspace: person.project },
    settings: { approveMode: 'allow', provider: 'offline' },
    ...options,
  });
  return started.finished;
}

/** The run of a model that makes these calls in each attempt, and then reports success. */
async function modelRun(task: string, calls: readonly (readonly [string, object])[]) {
  const script: Script = ({ responseName, messages }) => {
    if (responseName === 'answer') return { json: { answer: 'All is done.' } };
    const [name, args] = calls[messages.filter(({ role }) => role === 'tool').length] ?? [
      'final',
      { status: 'ok', result: 'All is done.' },
    ];
    return { tool_calls: [{ name, args: { ...args } }] };
  };
  server = await startModelServer({ vendor: 'ollama', script });
  const settings = { approveMode: 'allow', provider: 'ollama', model: server.model };
  return run(task, { capsule: 'command-runner', settings }, { CAPSTAN_BASE_URL: server.baseUrl });
}

describe.runIf(hasBubblewrap)('a run whose command writes to a private folder', () => {
  it.each([
    ['Run `git config --global user.nick zed`', 'HOME_DISCARDED'],
    ['Run `cp n.txt /tmp/x`', 'WRITES_DISCARDED'],
    ['Run `sort n.txt > /tmp/b && wc -l /tmp/b`', 'WRITES_DISCARDED'],
    ['Run `cp n.txt ../copy.txt`', 'WRITES_DISCARDED'],
    ['Run `mkdir ../x`', 'WRITES_DISCARDED'],
    ['Run `bash -c "cd; cat n.txt > c; ls"`', 'HOME_DISCARDED'],
    ['Run this Python code:\n```python\nopen("/tmp/x", "w").write("x")\n```', 'WRITES_DISCARDED'],
  ])('fails without a model, with an explanation: %s', async (task, code) => {
    const { status, reason, subtasks, answer } = await run(task);
    expect({ status, reason }).toEqual({ status: 'failed', reason: 'subtask_failed' });
    expect(subtasks.at(-1)?.error?.code).toBe(code);
    expect(answer).toContain('that was discarded');
  });

  it('completes if it writes to the workspace', async () => {
    const { status } = await run('Run `sort n.txt > sorted.txt`');
    expect(status).toBe('completed');
    expect(readFileSync(join(person.project, 'sorted.txt'), 'utf8')).toBe('a\nb\n');
  });

  it.each<[string, readonly (readonly [string, object])[]]>([
    ['Keep a copy of n.txt', [['terminal', { argv: ['cp', 'n.txt', '/tmp/copy.txt'] }]]],
    ['Keep a copy of n.txt', [['terminal', { command: 'cp n.txt /tmp/c', access: 'write' }]]],
    [
      'Set my nick in Git to zed',
      [
        ['terminal', { argv: ['git', 'config', '--global', 'user.nick', 'zed'] }],
        ['terminal', { argv: ['git', '--version'] }],
      ],
    ],
    [
      'Copy n.txt to /tmp/x and to y.txt',
      [
        ['terminal', { argv: ['cp', 'n.txt', '/tmp/x'] }],
        ['terminal', { argv: ['cp', 'n.txt', 'y.txt'], access: 'write' }],
      ],
    ],
    [
      'Set my nick in Git to zed',
      [
        ['terminal', { argv: ['git', 'config', '--global', 'user.nick', 'zed'] }],
        ['terminal', { argv: ['touch', 'new.txt'], access: 'write' }],
      ],
    ],
    [
      'Keep a copy of n.txt',
      [
        ['terminal', { argv: ['cp', 'n.txt', '/tmp/copy.txt'] }],
        ['terminal', { argv: ['sort', 'n.txt'] }],
      ],
    ],
    [
      'Keep a copy of n.txt',
      [
        ['terminal', { argv: ['cp', 'n.txt', '/tmp/copy.txt'] }],
        ['terminal', { argv: ['cp', 'n.txt', 'new.txt'], access: 'write' }],
      ],
    ],
    [
      'Keep two copies of n.txt',
      [
        ['terminal', { command: 'cp n.txt /tmp/copy.txt' }],
        ['terminal', { command: 'cp n.txt /tmp/other.txt' }],
        ['terminal', { command: 'cp n.txt other.txt', access: 'write' }],
      ],
    ],
    [
      'Sort n.txt into a file',
      [
        ['terminal', { command: 'sort n.txt > /tmp/b && wc -l /tmp/b' }],
        ['terminal', { command: 'ls n.txt' }],
      ],
    ],
    ['Run save.sh, so that I get ~/report.txt', [['terminal', { argv: ['sh', 'save.sh'] }]]],
    ['Keep a copy of n.txt', [['python_exec', { code: "open('/tmp/x', 'w').write('x')" }]]],
  ])('fails although the model reports success: %s %j', async (task, calls) => {
    const { status, subtasks } = await modelRun(task, calls);
    expect(status).toBe('failed');
    const message = subtasks.at(-1)?.error?.message;
    expect(message).toContain('that was discarded');
    expect(message).not.toContain('may have taken effect');
  });

  it.each<[string, readonly (readonly [string, object])[]]>([
    [
      'Keep a copy of n.txt',
      [
        ['terminal', { argv: ['cp', 'n.txt', '/tmp/copy.txt'] }],
        ['terminal', { argv: ['cp', 'n.txt', 'copy.txt'], access: 'write' }],
      ],
    ],
    [
      'How many lines has n.txt?',
      [
        ['terminal', { command: 'sort -u n.txt > /tmp/b && wc -l /tmp/b' }],
        ['terminal', { command: 'sort -u n.txt | wc -l' }],
      ],
    ],
  ])('completes if the model then does without it: %s', async (task, calls) => {
    writeFileSync(join(person.project, 'copy.txt'), 'old\n');
    const { status } = await modelRun(task, calls);
    expect(status).toBe('completed');
  });
});

describe.runIf(hasBubblewrap)('a command that needs write access, without a model', () => {
  const inProject = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: person.project, encoding: 'utf8', stdio: 'pipe' });

  it.each<[string, readonly string[], string]>([
    ['touch made.txt', ['ls', 'made.txt'], 'made.txt'],
    [
      `python3 -c "import sqlite3; c = sqlite3.connect('x.db'); c.execute('insert into t values (7)'); c.commit()"`,
      [
        'python3',
        '-c',
        "import sqlite3; print(*sqlite3.connect('x.db').execute('select * from t'))",
      ],
      '(7,)',
    ],
    ['tar xf n.tar', ['cat', 'n.txt'], 'b\na'],
    ['git stash', ['git', 'stash', 'list'], 'stash@{0}'],
  ])('gets it, and does its work: %s', async (command, check, expected) => {
    inProject('tar', 'cf', 'n.tar', 'n.txt');
    const create = "import sqlite3; sqlite3.connect('x.db').execute('create table t(a)')";
    inProject('python3', '-c', create);
    inProject('git', 'init', '-q');
    inProject('git', 'config', 'user.name', 'n');
    inProject('git', 'config', 'user.email', 'n@example.com');
    inProject('git', 'add', 'n.txt');
    inProject('git', 'commit', '-qm', 'first');
    person.writeProject('n.txt', 'changed\n');
    const { status, answer } = await run(`Run \`${command}\``);
    expect({ status, answer }).toMatchObject({ status: 'completed' });
    const [program = '', ...args] = check;
    expect(inProject(program, ...args)).toContain(expected);
  });

  it("is not asked about again if write access can't help, and says why it failed", async () => {
    const settings = { approveMode: 'deny', provider: 'offline' };
    const { reason, answer } = await run('Run `mkdir /etc/x`', { settings });
    expect(reason).toBe('subtask_failed');
    expect(answer).toContain('/etc/x');
    expect(answer).not.toContain('write access');
  });

  it('learns how to ask for it, if it failed without saying why', async () => {
    const failing = 'Run `sh -c "touch made.txt 2>&- || exit 1"`';
    const { status, answer } = await run(failing);
    expect(status).toBe('failed');
    expect(answer).toContain('with write access');
    await capstan.close();
    expect((await run(`${failing} with write access`)).status).toBe('completed');
    expect(inProject('ls')).toContain('made.txt');
  });
});
