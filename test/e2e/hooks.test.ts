import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHooksFile } from '../../src/config/files/hooks-file.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const put = (name: string, content: string) =>
  writeFileSync(join(sandbox.workspace, name), content);

/** Writes the person's hooks.yaml with one hook, a program in Node that gets `payload`. */
function hook(lines: readonly string[], body: string): void {
  const config = join(sandbox.home, 'capstan/config');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const program = join(config, 'hook.cjs');
  writeFileSync(
    program,
    `const payload = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
     const say = (answer) => console.log(JSON.stringify(answer));
     ${body}`,
  );
  const command = JSON.stringify([process.execPath, program]);
  const text = [
    'hooks:',
    '  - id: check',
    `    command: ${command}`,
    ...lines.map((line) => `    ${line}`),
  ];
  writeFileSync(join(config, 'hooks.yaml'), `${text.join('\n')}\n`);
}

const offline = ['run', '--provider', 'offline', '--approve-mode', 'allow'];
const remove = [...offline, 'Run `rm keep.txt`'];

describe('hooks of the person', () => {
  it('deny a command that the approve mode would allow, and the run ends with 4', async () => {
    put('keep.txt', 'mine\n');
    hook(
      ['on: [pre_tool_call]', 'tools: [terminal]'],
      `say({ result: 'deny', why: 'rm is not for capsules' })`,
    );
    const { exitCode, document } = await sandbox.runJson(remove);
    expect({ exitCode, reason: document.reason }).toEqual({ exitCode: 4, reason: 'denied' });
    expect(JSON.stringify(document)).toContain('rm is not for capsules');
    expect(existsSync(join(sandbox.workspace, 'keep.txt'))).toBe(true);
  });

  it('require a person although the approve mode would allow: the run parks', async () => {
    put('keep.txt', 'mine\n');
    hook(
      ['on: [pre_tool_call]', 'tools: [terminal]'],
      `say({ result: 'ask', why: 'this one I want to see' })`,
    );
    const { exitCode, document } = await sandbox.runJson(remove);
    expect(exitCode).toBe(3);
    expect(document.approvals).toMatchObject([{ status: 'pending' }]);
  });

  it('change a request, and the changed one is decided, performed and journaled', async () => {
    put('keep.txt', 'mine\n');
    put('scratch.txt', 'not needed\n');
    hook(
      ['on: [pre_tool_call]', 'tools: [terminal]'],
      `say({ result: 'modify', value: { ...payload.args, argv: ['rm', 'scratch.txt'] } })`,
    );
    const { exitCode, document } = await sandbox.runJson(remove);
    expect(exitCode).toBe(0);
    expect(existsSync(join(sandbox.workspace, 'keep.txt'))).toBe(true);
    expect(existsSync(join(sandbox.workspace, 'scratch.txt'))).toBe(false);
    const replayed = await sandbox.run(['replay', document.run_id]);
    expect(replayed.exitCode).toBe(0);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('that fail deny if they enforce, and change nothing if they observe', async () => {
    put('notes.txt', 'one\ntwo\n');
    const count = [...offline, 'Count the lines of notes.txt'];
    hook(['on: [pre_tool_call]', 'mode: enforce'], `process.exit(3)`);
    expect((await sandbox.runJson(count)).exitCode).toBe(4);
    hook(['on: [pre_tool_call]', 'mode: observe'], `process.exit(3)`);
    const { exitCode, stderr } = await sandbox.runJson(count);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('The hook "check" failed');
  });

  it('refuse a run before it is planned', async () => {
    put('notes.txt', 'one\n');
    hook(['on: [pre_run]'], `say({ result: 'deny', why: 'not today' })`);
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Count the lines of notes.txt',
    ]);
    expect({ exitCode, subtasks: document.subtasks }).toEqual({ exitCode: 4, subtasks: [] });
  });

  it('are not run if others may write their file, and the start says so', async () => {
    hook(['on: [pre_run]'], '');
    chmodSync(join(sandbox.home, 'capstan/config/hooks.yaml'), 0o666);
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Count the lines of notes.txt',
    ]);
    expect(exitCode).toBe(2);
    expect(document.error?.message).toContain('chmod go-w');
  });

  it('of an invalid form are reported with line, field, value and fix', async () => {
    hook(['on: [before_tool]', 'mode: strict'], '');
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Count the lines of notes.txt',
    ]);
    expect(exitCode).toBe(2);
    expect(document.error?.message).toMatch(
      /hooks\.yaml:4 .*before_tool[\s\S]*hooks\.yaml:5 .*strict/,
    );
  });
});

it('the example of docs/hooks.md is valid', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/hooks.md'), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  writeFileSync(join(sandbox.home, 'hooks.yaml'), example, { mode: 0o600 });
  expect(await readHooksFile(sandbox.home)).toMatchObject([
    { id: 'no-force-push', mode: 'enforce', timeout_ms: 5_000 },
    { id: 'archive', mode: 'observe', timeout_ms: 2_000 },
  ]);
});

describe('a request that a hook changed, in a run that parked', () => {
  const parks = async () => {
    for (const name of ['keep.txt', 'scratch.txt', 'other.txt']) put(name, 'x\n');
    modifies('scratch.txt');
    const { exitCode, document } = await sandbox.runJson([
      'run',
      '--provider',
      'offline',
      'Run `rm keep.txt`',
    ]);
    expect(exitCode).toBe(3);
    await approve(document.approvals[0]?.id ?? '');
    return document.run_id;
  };
  const modifies = (name: string) =>
    hook(
      ['on: [pre_tool_call]', 'tools: [terminal]'],
      `say({ result: 'modify', value: { ...payload.args, argv: ['rm', '${name}'] } })`,
    );
  const approve = async (id: string) =>
    expect((await sandbox.run(['approvals', 'approve', id])).exitCode).toBe(0);
  const left = () =>
    ['keep.txt', 'scratch.txt', 'other.txt'].filter((name) =>
      existsSync(join(sandbox.workspace, name)),
    );

  it('is performed as approved, and the audit is intact', async () => {
    const runId = await parks();
    expect((await sandbox.run(['resume', runId])).exitCode).toBe(0);
    expect(left()).toEqual(['keep.txt', 'other.txt']);
    expect((await sandbox.run(['replay', runId])).exitCode).toBe(0);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('is asked about once more if the hook changes it differently', async () => {
    const runId = await parks();
    modifies('other.txt');
    expect((await sandbox.run(['resume', runId])).exitCode).toBe(3);
    expect(left()).toHaveLength(3);
    const asked = (await sandbox.run(['approvals', 'list', '--json'])).stdout;
    expect(asked).toContain('rm other.txt');
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });
});

describe('notes of hooks', () => {
  it('to a result is journaled with it, repeated in a replay, and covered by the audit', async () => {
    put('notes.txt', 'one\ntwo\n');
    hook(['on: [post_tool_call]'], `say({ result: 'inject', text: 'seen by the reviewer' })`);
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Count the lines of notes.txt',
    ]);
    expect(exitCode).toBe(0);
    expect(await exported(document.run_id)).toContain('seen by the reviewer');
    expect((await sandbox.run(['replay', document.run_id])).exitCode).toBe(0);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('after the run is called however the run ended', async () => {
    hook(
      ['on: [pre_run, post_run]'],
      `say(payload.point === 'pre_run' ? { result: 'deny', why: 'not today' } :
         { result: 'inject', text: 'it ended as ' + payload.status + ' (' + payload.reason + ')' })`,
    );
    const { stderr } = await sandbox.run([...offline, 'Count the lines of notes.txt']);
    expect(stderr).toContain('The hook "check" says: it ended as failed (denied)');
  });

  it("before the plan is part of the planner's input, and a replay uses the same", async () => {
    put('notes.txt', 'one\ntwo\n');
    const task = 'Count the lines of notes.txt';
    hook(['on: [pre_run]'], `say({ result: 'inject', text: 'Save the result as count.md' })`);
    const { document } = await sandbox.runJson([...offline, task]);
    expect(await exported(document.run_id)).toContain('Note of the hook');
    expect((await sandbox.run(['replay', document.run_id])).exitCode).toBe(0);
  });

  it('before the plan reaches it without the secrets in its text', async () => {
    put('notes.txt', 'one\ntwo\n');
    const key = 'sk-a-key-that-opens-nothing';
    hook(['on: [pre_run]'], `say({ result: 'inject', text: 'Never send ${key} anywhere' })`);
    const task = 'Count the lines of notes.txt';
    const { document } = await sandbox.runJson([...offline, task], { OPENAI_API_KEY: key });
    // A call with the secret would be denied.
    expect(document.subtasks[0]).toMatchObject({
      description: expect.stringContaining('Never send [secret removed'),
      error: { code: 'NOT_UNDERSTOOD' },
    });
  });

  const exported = async (runId: string) => {
    const file = join(sandbox.home, 'run.json');
    const { stderr } = await sandbox.run(['runs', 'export', runId, '--out', file]);
    if (!existsSync(file)) throw new Error(stderr);
    return readFileSync(file, 'utf8');
  };
});

describe('a hook that is a module', () => {
  it.each([
    [
      'hooks.mjs',
      `export const pre_tool_call = async () => ({ result: 'deny', why: 'by module' });`,
    ],
    ['hooks.cjs', `exports.pre_tool_call = async () => ({ result: 'deny', why: 'by module' });`],
  ])('is called by the built program: %s', async (name, text) => {
    put('keep.txt', 'mine\n');
    const config = join(sandbox.home, 'capstan/config');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const module = join(config, name);
    writeFileSync(module, text);
    writeFileSync(
      join(config, 'hooks.yaml'),
      `hooks:\n  - id: check\n    on: [pre_tool_call]\n    module: ${module}\n`,
    );
    const { exitCode, document } = await sandbox.runJson(remove);
    expect(exitCode).toBe(4);
    expect(JSON.stringify(document)).toContain('by module');
  });
});
