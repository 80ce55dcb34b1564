import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const put = (name: string, content: string) =>
  writeFileSync(join(sandbox.workspace, name), content);

/** Writes the person's hooks.yaml with one hook, a program in Node that gets `told`. */
function hook(lines: readonly string[], body: string): void {
  const config = join(sandbox.home, 'capstan/config');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const program = join(config, 'hook.cjs');
  writeFileSync(
    program,
    `const told = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
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

  it('make a person answer what the approve mode would allow: the run parks', async () => {
    put('keep.txt', 'mine\n');
    hook(
      ['on: [pre_tool_call]', 'tools: [terminal]'],
      `say({ result: 'ask', why: 'this one I want to see' })`,
    );
    const { exitCode, document } = await sandbox.runJson(remove);
    expect(exitCode).toBe(3);
    expect(document.approvals).toMatchObject([{ status: 'pending' }]);
  });

  it('change what is asked for, and the change is what is decided on, done and journaled', async () => {
    put('keep.txt', 'mine\n');
    put('scratch.txt', 'not needed\n');
    hook(
      ['on: [pre_tool_call]', 'tools: [terminal]'],
      `say({ result: 'modify', value: { ...told.args, argv: ['rm', 'scratch.txt'] } })`,
    );
    const { exitCode, document } = await sandbox.runJson(remove);
    expect(exitCode).toBe(0);
    expect(existsSync(join(sandbox.workspace, 'keep.txt'))).toBe(true);
    expect(existsSync(join(sandbox.workspace, 'scratch.txt'))).toBe(false);
    const replayed = await sandbox.run(['replay', document.run_id]);
    expect(replayed.exitCode).toBe(0);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('that fail close the way where they enforce, and change nothing where they observe', async () => {
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

  it('are not run where others may write their file, and the start says so', async () => {
    hook(['on: [pre_run]'], '');
    chmodSync(join(sandbox.home, 'capstan/config/hooks.yaml'), 0o666);
    const { exitCode, document } = await sandbox.runJson([
      ...offline,
      'Count the lines of notes.txt',
    ]);
    expect(exitCode).toBe(2);
    expect(document.error?.message).toContain('chmod go-w');
  });

  it('of a wrong form are told by line, field, value and fix', async () => {
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

it('the example of docs/hooks.md is one that the product reads', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/hooks.md'), 'utf8');
  expect(page).toContain('hooks:');
});
