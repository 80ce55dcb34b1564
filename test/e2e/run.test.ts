import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { plainManifest } from '../setup/temporary-capsules.ts';
import { asOnEveryMachine, createSandbox, launcher, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const offline = ['run', '--provider', 'offline'];
const put = (name: string, text: string) => writeFileSync(join(sandbox.workspace, name), text);
const read = (name: string) => readFileSync(join(sandbox.workspace, name), 'utf8');

describe('capstan run', () => {
  it('performs a task, writes the file, and exits with 0 and only the answer on stdout', async () => {
    put('notes.txt', 'one\ntwo\nthree\n');
    const { exitCode, stdout, stderr } = await sandbox.run([
      ...offline,
      'Count the lines of notes.txt and save the result as count.md',
    ]);
    expect(stderr).toMatch(
      /^done: \d steps?, .+ s\nnew count\.md \+\d+; next: capstan runs diff [0-9a-f]{8}, capstan runs undo [0-9a-f]{8}$/m,
    );
    expect({ exitCode, hasThree: stdout.includes('3') }).toEqual({ exitCode: 0, hasThree: true });
    expect(read('count.md')).toContain('3');
    expect(stdout).not.toContain('capstan ');
  });

  it('prints one JSON document with every part of the run', async () => {
    put('notes.txt', 'one\ntwo\n');
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Count the lines of notes.txt and save the result as count.md',
    ]);
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({ status: 'completed', reason: null, provider: 'offline' });
    expect(document.subtasks.every(({ status }) => status === 'completed')).toBe(true);
    expect(document.artifacts.map(({ path }) => path)).toEqual(['count.md']);
    expect(document.artifacts[0]?.bytes).toBe(statSync(join(sandbox.workspace, 'count.md')).size);
  });

  it('fails honestly, with 1 and the setting that would help, if a language model is needed', async () => {
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Write a poem about the sea and save it as poem.txt',
    ]);
    expect(exitCode).toBe(1);
    expect(document.status).toBe('failed');
    expect(JSON.stringify(document)).toContain('OPENAI_API_KEY');
    expect(existsSync(join(sandbox.workspace, 'poem.txt'))).toBe(false);
  });

  it('parks with 3 if nobody can answer, changes nothing, and prints what to type', async () => {
    put('keep.txt', 'mine\n');
    const { exitCode, document } = await sandbox.runJson([...offline, 'Run `rm keep.txt`']);
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 3, status: 'parked' });
    const [question] = document.approvals;
    expect(document.next).toEqual([
      {
        action: 'answer',
        id: question?.id,
        choices: ['approve', 'deny'],
        command: `capstan approvals approve ${question?.id}`,
      },
      { action: 'resume', id: document.run_id, command: `capstan resume ${document.run_id}` },
    ]);
    expect(read('keep.txt')).toBe('mine\n');
  });

  it('denies all questions if the approve mode is deny, and exits with 4', async () => {
    put('keep.txt', 'mine\n');
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      '--approve-mode',
      'deny',
      'Run `rm keep.txt`',
    ]);
    expect({ exitCode, reason: document.reason }).toEqual({ exitCode: 4, reason: 'denied' });
    expect(read('keep.txt')).toBe('mine\n');
  });

  it('approves all questions if the approve mode is allow, and records the question as answered', async () => {
    put('keep.txt', 'mine\n');
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      '--approve-mode',
      'allow',
      'Run `rm keep.txt`',
    ]);
    expect(exitCode).toBe(0);
    expect(existsSync(join(sandbox.workspace, 'keep.txt'))).toBe(false);
    expect(document.approvals).toMatchObject([{ kind: 'tool', status: 'consumed' }]);
  });

  it('names every invalid setting together and exits with 2, also as JSON', async () => {
    const { exitCode, document } = await sandbox.runJson([...offline, '--timeout', 'soon', 'x'], {
      CAPSTAN_CONCURRENCY: 'many',
    });
    expect({ exitCode, status: document.status, reason: document.reason }).toEqual({
      exitCode: 2,
      status: 'failed',
      reason: 'settings',
    });
    expect(document.error?.message).toContain('--timeout');
    expect(document.error?.message).toContain('CAPSTAN_CONCURRENCY');
  });

  it.each([['--json'], []])('says on stderr why no step could start, with %j', async (...words) => {
    const { exitCode, stderr } = await sandbox.run(['run', '--provider', 'openai', ...words, 'x']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^✗ The settings are invalid:\n.+ needs OPENAI_API_KEY, which/m);
  });

  it('reports an unknown capsule, with 2, and creates no run', async () => {
    const { exitCode, document } = await sandbox.runJson([...offline, '--capsule', 'nobody', 'x']);
    expect(exitCode).toBe(2);
    expect(document.error?.message).toContain('nobody');
    expect(document.run_id).toBeNull();
  });

  it.runIf(hasBubblewrap)(
    'starts at the required isolation, and records level and reason',
    async () => {
      const { exitCode, stderr, document } = await sandbox.runJson([...offline, 'Run `echo one`'], {
        CAPSTAN_ISOLATION: 'A',
      });
      expect({ exitCode, isolation: document.isolation }).toEqual({ exitCode: 0, isolation: 'A' });
      expect(stderr).toContain('sandbox A (bubblewrap, tested)');
      const log = join(sandbox.home, 'capstan/state/runs', `${document.run_id}.jsonl`);
      const events = readFileSync(log, 'utf8').trim().split('\n');
      const spawned = events
        .map((line) => JSON.parse(line))
        .filter((event) => 'isolation' in event);
      expect(spawned.map(({ type }) => type)).toEqual([
        ...['run.started', 'capsule.started', 'tool.answered'],
      ]);
      for (const { isolation } of spawned) expect(isolation).toMatch(/^A: ./);
    },
  );

  it('refuses to start at a lower isolation than is wanted, with 7', async () => {
    const args = [...offline, '--dangerously-no-isolation', '--require-isolation', 'C', 'x'];
    const { exitCode, document } = await sandbox.runJson(args);
    expect({ exitCode, reason: document.reason }).toEqual({ exitCode: 7, reason: 'isolation' });
    expect(document.error?.message).toMatch(/`sudo .* bubblewrap`/);
    expect(document.subtasks).toEqual([]);
  });

  it('runs without a sandbox only with the explicit flag, and says so', async () => {
    put('notes.txt', 'one\n');
    const args = [...offline, '--dangerously-no-isolation', 'Count the lines of notes.txt'];
    const { exitCode, stderr, document } = await sandbox.runJson(args);
    expect({ exitCode, isolation: document.isolation }).toEqual({ exitCode: 0, isolation: 'none' });
    expect(stderr).toContain('! Isolation level none');
  });

  it('lets children try to escape from the sandbox, and shows what each could do', async () => {
    const { exitCode, stdout } = await sandbox.run(['doctor', '--isolation', '--json']);
    const { ok, level, children } = JSON.parse(stdout);
    expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true });
    expect(hasBubblewrap ? level : 'A').toBe('A');
    expect(children[0]).toMatchObject({ who: 'capsule', failings: [] });
    expect(children[0].found.canary).not.toBe('done');
  });

  it('exits with 124 when its time is over, leaves no process behind, and closes its row', async () => {
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      '--approve-mode',
      'allow',
      '--timeout',
      '2',
      'Run `sleep 600`',
    ]);
    expect({ exitCode, status: document.status, reason: document.reason }).toEqual({
      exitCode: 124,
      status: 'failed',
      reason: 'deadline',
    });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('parks the run at %s, and exits with %d', async (signal, code) => {
    const { child, ended, said } = sandbox.start([
      ...offline,
      '--json',
      ...['--approve-mode', 'allow', '--log-level', 'debug'],
      'Run `sleep 600`',
    ]);
    await said('tool.requested');
    child.kill(signal);
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(code);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      status: 'parked',
      reason: 'interrupted',
      next: [{ action: 'resume', command: `capstan resume ${document.run_id}` }],
    });
  });

  it('parks the run immediately at the second Ctrl-C, and prints its document', async () => {
    const { child, ended, said } = sandbox.start([
      ...offline,
      '--json',
      ...['--approve-mode', 'allow', '--log-level', 'debug'],
      'Run `sleep 600`',
    ]);
    await said('tool.requested');
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'parked', reason: 'interrupted' });
  });

  it('parks a run whose process was killed, and keeps its row', async () => {
    const { child, ended, said } = sandbox.start([
      ...offline,
      ...['--approve-mode', 'allow', '--log-level', 'debug'],
      'Run `sleep 5`',
    ]);
    await said('tool.requested');
    child.kill('SIGKILL');
    await ended;
    const listed = await sandbox.run(['runs', 'list', '--all', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ status: 'parked', reason: 'crashed' }]);
  });

  it('protects its database and logs from other users', async () => {
    put('notes.txt', 'one\n');
    const { document } = await sandbox.runJson([...offline, 'Count the lines of notes.txt']);
    const state = join(sandbox.home, 'capstan/state');
    expect(statSync(state).mode & 0o777).toBe(0o700);
    for (const name of ['capstan.db', `runs/${document.run_id}.jsonl`]) {
      expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('journals every intent with its outcome', async () => {
    put('notes.txt', 'one\n');
    await sandbox.runJson([...offline, 'Count the lines of notes.txt and save the result as n.md']);
    const db = new Database(join(sandbox.home, 'capstan/state/capstan.db'), { readonly: true });
    const rows = db.prepare('SELECT name, status, outcome FROM intents ORDER BY seq').all();
    db.close();
    expect(rows).toContainEqual(expect.objectContaining({ name: 'plan', status: 'done' }));
    expect(rows).toContainEqual(expect.objectContaining({ name: 'file_io.write', status: 'done' }));
    expect(rows.every((row) => (row as { outcome: unknown }).outcome !== null)).toBe(true);
  });
});

describe('the document of a run leaves out', () => {
  const leaveOut = () => {
    put('notes.txt', 'one\n');
    put('capstan.yaml', 'concurrency: 2\n');
    const dir = join(sandbox.home, 'capstan/data/agents/broken');
    mkdirSync(dir, { recursive: true });
    const manifest = { ...plainManifest('broken'), grants: { tools: { telepathy: {} } } };
    writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(join(dir, 'entrypoint.cjs'), '');
  };
  const both = [/capstan\.yaml/, /there is no tool "telepathy"(?:.|\n)*left out/];

  it('is reported with --quiet, and is in the document', async () => {
    leaveOut();
    const ran = await sandbox.runJson([...offline, '-q', 'Count the lines of notes.txt']);
    const { notices = [] } = ran.document as { notices?: string[] };
    for (const expected of both) {
      expect(ran.stderr).toMatch(expected);
      expect(notices.join('\n')).toMatch(expected);
    }
    expect(ran.stderr).not.toContain('1 start');
    expect(ran.stderr).not.toContain('done:');
  });

  it('is not reported if the log level is error', async () => {
    leaveOut();
    const { stderr } = await sandbox.run([...offline, '-q', 'Count the lines of notes.txt'], {
      CAPSTAN_LOG_LEVEL: 'error',
    });
    expect(stderr).toBe('');
  });
});

describe('a signal', () => {
  const launcher = join(import.meta.dirname, '../../bin/capstan.js');
  const startReading = () =>
    spawn(process.execPath, [launcher, ...offline, '--json', '-'], {
      cwd: sandbox.workspace,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: sandbox.home,
        CAPSTAN_HOME: join(sandbox.home, 'capstan'),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });

  it('ends a command that still reads its task, with one document', async () => {
    const child = startReading();
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    // Written once it reads: this is more than a pipe holds.
    await new Promise((resolve) => child.stdin.write('x'.repeat(350_000), resolve));
    child.kill('SIGTERM');
    const [exitCode] = await once(child, 'close');
    expect(exitCode).toBe(143);
    expect(JSON.parse(stdout)).toMatchObject({
      run_id: null,
      status: 'failed',
      reason: 'cancelled',
      error: { code: 'CANCELLED' },
    });
  });

  it('that comes for the third time ends the process: the run is parked, and its document printed', async () => {
    const { child, ended, said } = sandbox.start([
      ...offline,
      '--json',
      ...['--approve-mode', 'allow', '--log-level', 'debug'],
      'Run `sleep 600`',
    ]);
    await said('tool.requested');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
    const { exitCode, stdout } = await ended;
    expect([129, 130, 143]).toContain(exitCode);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'parked', reason: 'interrupted' });
  });
});

describe('the output', () => {
  /** Runs `"$@"` in a shell script: one task that prints 400 KB. */
  const inShell = (script: string) => {
    put('long.txt', 'x'.repeat(500_000));
    const args = asOnEveryMachine([...offline, '-q', 'Show long.txt']);
    return spawnSync('sh', ['-c', script, 'sh', process.execPath, launcher, ...args], {
      cwd: sandbox.workspace,
      env: { PATH: process.env['PATH'], CAPSTAN_HOME: join(sandbox.home, 'capstan') },
      encoding: 'utf8',
      timeout: 30_000,
    }).stdout;
  };

  it.each([
    ['is one document with exit code 2 if the current folder was deleted', '', 2, 'settings'],
    ['does not need the current folder if another one is named', '-w "$OLDPWD"', 0, null],
  ])('%s', (_case, option, code, reason) => {
    const script = `mkdir gone && cd gone && rmdir ../gone; "$@" --json ${option}; echo $?`;
    const [exitCode, ...lines] = inShell(script).trimEnd().split('\n').reverse();
    expect(exitCode).toBe(String(code));
    expect(JSON.parse(lines.reverse().join('\n'))).toMatchObject({ reason });
  });

  it('arrives completely at a slow reader, also if stdout and stderr are one pipe', () => {
    expect(Number(inShell('"$@" 2>&1 | { sleep 2; wc -c; }'))).toBeGreaterThan(400_000);
  });

  it.each([
    ['stderr', 0, '>/dev/null 2>/dev/full'],
    ['stdout', 1, '>/dev/full 2>/dev/null'],
  ])('that %s does not take ends a completed run with %d', (_stream, code, to) => {
    expect(inShell(`"$@" ${to}; echo $?`)).toBe(`${code}\n`);
  });

  it('that stdout does not take is named, and so is what the run has done', () => {
    expect(inShell('"$@" 2>&1 >/dev/full')).toMatch(
      /✗ The output can't be written \(ENOSPC.*\)\. What the command has done stays done\./,
    );
  });
});
