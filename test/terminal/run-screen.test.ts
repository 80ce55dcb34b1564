import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer, ScriptedRequest } from '../model-server/script.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

let folder: string;
let server: ModelServer;
let screen: Screen | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'screen-')));
  writeFileSync(join(folder, 'notes.txt'), 'one\ntwo\nthree\n');
});
afterEach(async () => {
  screen?.kill();
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

type Turn = (results: number, request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

const call = (name: string, args: Record<string, unknown>): ScriptedAnswer => ({
  tool_calls: [{ name, args }],
});
const final = (result: string) => call('final', { status: 'ok', result });
const write = (path: string, content: string) =>
  call('file_io', { operation: 'write', path, content });

/** A model whose only step has these turns. */
async function model(turn: Turn, capsule = 'file-clerk'): Promise<void> {
  const step = { id: 'write', description: 'Change notes.txt', depends_on: [], capsule };
  const script: Script = (request) => {
    if (request.responseName === 'plan') return { json: { discovery: [], execution: [step] } };
    if (request.responseName === 'judge') return { json: { choice: capsule, why: 'it fits' } };
    if (request.responseName === 'answer') return { json: { answer: 'Done.' } };
    return turn(request.messages.filter(({ role }) => role === 'tool').length, request);
  };
  server = await startModelServer({ vendor: 'ollama', script });
}

const env = () => ({
  CAPSTAN_HOME: join(folder, '.home'),
  CAPSTAN_BASE_URL: server.baseUrl,
  CAPSTAN_PROVIDER: 'ollama',
  PAGER: 'cat',
});

function run(size: { columns?: number; rows?: number } = {}): Screen {
  const args = ['run', '--model', server.model, 'Change notes.txt'];
  screen = openScreen({ args, cwd: folder, env: env(), ...size });
  return screen;
}

const capstan = (...args: string[]) =>
  execa(process.execPath, [launcher, ...args], {
    cwd: folder,
    env: env(),
    extendEnv: true,
    reject: false,
  });
const notes = () => readFileSync(join(folder, 'notes.txt'), 'utf8');

it('asks with a difference, is answered by y, and ends with three closing lines', async () => {
  await model((results) =>
    results === 0 ? write('notes.txt', 'one\n2\nthree\n') : final('Changed it. Bye.'),
  );
  const shown = run();
  await shown.shows('y allow once');
  expect(shown.text()).toContain(
    `? Allow file-clerk to change notes.txt?
   1   one
   2 - two
   2 + 2
   3   three
  Asked because`,
  );
  savePicture(shown, 'approval');
  shown.type('y');
  expect(await shown.ended).toBe(0);
  savePicture(shown, 'done');
  expect(shown.text()).toMatch(
    /✓ Allowed once: change notes\.txt\n\nChanged it\. Bye\.\n\n✓ Done in/,
  );
  expect(shown.text()).toContain('changed notes.txt +1 -1');
  expect(shown.written()).not.toMatch(/\[2J|\[3J|\[\?1049h/);
  expect(shown.written()).toMatch(/\[\?2004l/);
  expect(notes()).toContain('2\n');
});

it('shows the output of a command while it runs', async () => {
  await model(() => final('Done.'));
  writeFileSync(join(folder, 'work.sh'), 'echo started; sleep 3; echo over > over.txt');
  const args = ['run', '--provider', 'offline', '--approve-mode', 'allow', 'Run `bash work.sh`'];
  screen = openScreen({ args, cwd: folder, env: env() });
  await screen.shows('  started');
  expect(existsSync(join(folder, 'over.txt'))).toBe(false);
  expect(await screen.ended).toBe(0);
});

it('cuts a long command, not how it failed, and shows what it printed last', async () => {
  const command = `for name in ${'notes.txt '.repeat(11)}; do test -e $name; done; echo 'error: 3 problems' >&2; exit 3`;
  await model(
    (results) =>
      results === 0 ? call('terminal', { command, access: 'write' }) : final('All clean.'),
    'developer',
  );
  const shown = run();
  await shown.shows('y allow once');
  expect(shown.text()).toMatch(/ can write in .*\s+no network\n {2}runs in a shell:\n {2}for name/);
  shown.type('y');
  await shown.ended;
  expect(shown.text()).toMatch(/^ {2}run for name .*…: exit code 3\n {4}error: 3 problems$/m);
});

it('accepts no answer from text typed ahead, a paste or Enter', async () => {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  await model(async (results) => {
    if (results === 0) reach();
    return results === 0 ? { ...write('notes.txt', 'gone\n'), delayMs: 300 } : final('Done.');
  });
  const shown = run();
  await reached;
  for (let count = 0; count < 10; count++) {
    shown.type('y');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await shown.shows('n deny once');
  shown.paste('y');
  shown.type('\r');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(notes()).toBe('one\ntwo\nthree\n');
  shown.type('n');
  expect(await shown.ended).toBe(4);
  expect(shown.text()).toContain('✗ Denied once: change notes.txt');
  expect(shown.text()).toContain('✗ Denied: notes.txt was not written');
  expect(shown.allText()).not.toMatch(/Denied and not done|The run failed/);
  savePicture(shown, 'denied');
  expect(notes()).toBe('one\ntwo\nthree\n');
});

it('allows a long request only after all of it was shown, and escapes it', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} \u001b[2J\u202e`);
  await model((results) => (results === 0 ? write('notes.txt', lines.join('\n')) : final('Done.')));
  const shown = run();
  await shown.shows('y, Y after all is shown');
  savePicture(shown, 'approval-folded');
  shown.type('y');
  await shown.shows('Read the whole request first');
  while (!shown.text().includes('y allow once')) {
    const before = shown.text();
    shown.type(' ');
    await expect.poll(shown.text).not.toBe(before);
  }
  expect(shown.allText()).toContain('line 59 \\u001b[2J\\u202e');
  shown.type('y');
  expect(await shown.ended).toBe(0);
  expect(notes()).toContain('line 59');
});

it('edits the terms of an answer that is remembered before it stores them', async () => {
  await model((results) => (results === 0 ? write('notes.txt', 'x\n') : final('Done.')));
  const shown = run();
  await shown.shows('Y always');
  shown.type('Y');
  await shown.shows('Always allow file-clerk to change: notes.txt');
  await shown.shows('The request only (write, no other operation), not what files contain.');
  savePicture(shown, 'approval-always');
  shown.type('\u007f');
  await shown.shows('to change: notes.tx\n');
  shown.type('\r');
  await shown.shows(/The pattern notes.tx does not match this request[^.]*.txt. Write its path;/);
  expect(shown.text()).not.toContain('Try:');
  shown.type('t\r');
  expect(await shown.ended).toBe(0);
  expect(shown.text()).toMatch(/✓ Allowed always \(this folder, until \d+ \w+ \d{4}\):/);
  expect(shown.text()).toContain('path:notes.txt');
  const { stdout } = await capstan('policy', 'remembered', 'list', '--json');
  expect(stdout).toContain('path:notes.txt');
});

it('closes a question that was answered elsewhere, and says so once', async () => {
  await model((results) => (results === 0 ? write('notes.txt', 'x\n') : final('Done.')));
  const shown = run();
  await shown.shows('y allow once');
  const { stdout } = await capstan('approvals', 'list', '--json');
  const id = /"id": ?"([0-9a-f-]{36})"/.exec(stdout)?.[1] ?? '';
  expect((await capstan('approvals', 'answer', id, 'approve')).exitCode).toBe(0);
  expect(await shown.ended).toBe(0);
  expect(
    shown.allText().match(/Allowed once in another terminal: change notes\.txt/g),
  ).toHaveLength(1);
});

it('accepts a digit or free text as the answer to a question of a capsule', async () => {
  const ask = { question: 'Which one?', choices: ['東京', 'the other'], free_text: true };
  await model((results, { messages }) =>
    results === 0 ? call('ask_person', ask) : final(`It said ${messages.at(-1)?.content}`),
  );
  const shown = run({ columns: 60 });
  await shown.shows('A digit or your own words, then Enter');
  expect(shown.text()).toContain('  1 東京   2 the other   or your own words');
  shown.type('4\r');
  await shown.shows('There is no choice 4. A digit or your own words, then');
  shown.type('yes, the third');
  await shown.shows('› yes, the third');
  savePicture(shown, 'question-of-capsule');
  shown.type('\r');
  expect(await shown.ended).toBe(0);
  expect(shown.text()).toContain('✓ Answered: yes, the third');
});

it('accepts a digit or a typed choice in any case, and says so to other words', async () => {
  const ask = { question: 'Which greeting?', choices: ['Hello', 'Moin'] };
  await model((results) => (results === 0 ? call('ask_person', ask) : final('Said.')));
  const typed = run();
  await typed.shows('Type 1 or 2, or a choice and Enter · Esc leaves it open');
  typed.type('Moins');
  await typed.shows('› Moins');
  typed.type('\r');
  await typed.shows('"Moins" is not a choice. Type 1 or 2, or a choice and Enter.');
  typed.type('moin\r');
  expect(await typed.ended).toBe(0);
  expect(typed.text()).toContain('✓ Answered: Moin\n');
  const digit = run();
  await digit.shows('Type 1 or 2');
  digit.type('1');
  expect(await digit.ended).toBe(0);
  expect(digit.text()).toContain('✓ Answered: Hello\n');
});

it('parks on Esc with exit code 3, and on Ctrl-C with 130', async () => {
  await model(() => ({ ...final('Done.'), delayMs: 20_000 }));
  for (const [key, exitCode] of [
    ['\u001b', 3],
    ['\u0003', 130],
  ] as const) {
    const shown = run();
    await shown.shows('Esc parks it');
    await shown.shows('think');
    savePicture(shown, 'working');
    shown.type(key);
    expect(await shown.ended).toBe(exitCode);
    expect(shown.text()).toMatch(/‖ Parked after .* · interrupted\n/);
    expect(shown.text()).toMatch(/capstan resume [0-9a-f]{8}$/m);
    savePicture(shown, 'parked');
  }
});

it('prints nothing again when the terminal is resized, and keeps its live lines narrow', async () => {
  let release = () => {};
  const isResized = new Promise<void>((resolve) => {
    release = resolve;
  });
  await model(async () => {
    await isResized;
    return final('Changed it.');
  });
  const shown = run({ columns: 120 });
  await shown.shows('think');
  for (const columns of [60, 45, 100]) {
    shown.resize(columns, 20);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await expect.poll(() => shown.allText().match(/think/g)).toHaveLength(1);
  release();
  expect(await shown.ended).toBe(0);
  expect(shown.allText().match(/Done in/g)).toHaveLength(1);
});
