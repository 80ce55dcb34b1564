import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deferred } from '../../src/cli/io/deferred.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer } from '../model-server/script.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

const TASK = 'Rewrite poem.txt in capitals';
const POEM = 'Roses are red\n';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

let screen: Screen;
let server: ModelServer;
/** Resolves when the model may continue. */
let hold: Promise<unknown>;

/** Makes the model wait. The returned function lets it answer. */
function holdModel(): () => void {
  const { promise, resolve } = deferred<void>();
  hold = promise;
  return resolve;
}

const told: string[] = [];
/** Called when the model is asked for the answer, which it gives after `held`. */
let answering = () => {};
let held: Promise<unknown>;
let hasTwoSteps = false;
/** Whether the model asks the person first. */
let asks = false;

const script: Script = async ({ responseName, messages }): Promise<ScriptedAnswer> => {
  const step = { id: 'write', description: TASK, depends_on: [], capsule: 'file-clerk' };
  const again = { ...step, id: 'again', depends_on: ['write'] };
  const execution = hasTwoSteps ? [step, again] : [step];
  if (responseName === 'plan') return { json: { discovery: [], execution } };
  if (responseName === 'judge') return { json: { choice: 'file-clerk', why: 'files' } };
  if (responseName === 'answer') {
    answering();
    await held;
    return { json: { answer: 'The poem shouts.' } };
  }
  await hold;
  told.push(JSON.stringify(messages));
  if (messages.some(({ role }) => role === 'tool'))
    return { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'It shouts.' } }] };
  const question = { question: 'Which style?', free_text: true };
  if (asks) return { tool_calls: [{ name: 'ask_person', args: question }] };
  const args = { operation: 'write', path: 'poem.txt', content: POEM.toUpperCase() };
  return { tool_calls: [{ name: 'file_io', args }] };
};

let cwd: string;
let env: Record<string, string>;
beforeEach(async () => {
  told.length = 0;
  hasTwoSteps = false;
  held = Promise.resolve();
  asks = false;
  hold = Promise.resolve();
  cwd = mkdtempSync(join(tmpdir(), 'talk-'));
  writeFileSync(join(cwd, 'poem.txt'), POEM);
  server = await startModelServer({ vendor: 'ollama', script });
  env = {
    CAPSTAN_HOME: join(cwd, '.home'),
    HOME: cwd,
    CAPSTAN_PROVIDER: 'ollama',
    PAGER: 'cat',
    CAPSTAN_MODEL_FAST: server.model,
    CAPSTAN_MODEL_BALANCED: server.model,
    CAPSTAN_MODEL_BEST: server.model,
    CAPSTAN_BASE_URL: server.baseUrl,
  };
});
afterEach(async () => {
  screen.kill();
  await server.close();
});

/** Opens the conversation, and waits for its prompt. */
async function open(more: Readonly<Record<string, string>> = {}): Promise<void> {
  screen = openScreen({ cwd, env: { ...env, ...more } });
  await screen.shows('/ menu');
}

it('a task, its question answered by a key, and a second task of the same session', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('\r');
  screen.paste('y');
  screen.type('yes, and then');
  await screen.shows('Ignored what you typed. Type y, Y, n');
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(readFileSync(join(cwd, 'poem.txt'), 'utf8')).toBe(POEM);
  screen.type('y');
  await screen.shows(/Done in/);
  expect(readFileSync(join(cwd, 'poem.txt'), 'utf8')).toBe(POEM.toUpperCase());
  screen.type('And now once more\r');
  await screen.shows(/Done in[\s\S]*Done in/);
  savePicture(screen, 'conversation');
  expect(told.at(-1)).toContain(TASK);
});

it('a run that /runs opens shows with Ctrl-O what it changed', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('y');
  await screen.shows(/Done in/);
  screen.type('/runs\r');
  await screen.shows('Runs in');
  screen.type('\r');
  await screen.shows('Ctrl-O opens it with its commands and their output');
  screen.type('\u000f');
  await screen.shows(/Effects\n.*file_io\.write poem\.txt/);
});

it('a command at a question in free text is performed, and one with a second slash is the answer', async () => {
  asks = true;
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('Your own words, then Enter');
  screen.type('/help\r');
  await screen.shows('name a file');
  screen.type('//help\r');
  await screen.shows('✓ Answered: /help');
});

it('Esc parks the run, and the next line continues it with its words', async () => {
  const release = holdModel();
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('Esc stops it');
  await screen.shows('think');
  screen.type('\u001b');
  await screen.shows('Parked');
  release();
  screen.type('Only the first line, please\r');
  await screen.shows('y allow once');
  screen.type('y');
  await screen.shows(/Done in/);
  expect(told.some((messages) => messages.includes('Only the first line, please'))).toBe(true);
});

it('Esc at a question, and then words, deny the call, and the model reads them', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('\u001b');
  await screen.shows('Enter denies it with your words');
  screen.type('never mind, explain the poem\r');
  await screen.shows(/✗ Denied once: change poem\.txt[\s\S]*(?:It shouts|The poem shouts)/);
  expect(told.at(-1)).toMatch(/A person denied it.*never mind, explain the poem/);
  expect(readFileSync(join(cwd, 'poem.txt'), 'utf8')).toBe(POEM);
});

it('words typed while a run stops continue it, once for all lines', async () => {
  const release = holdModel();
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('think');
  screen.type('\u001b');
  await screen.shows('Esc again discards it');
  screen.type('Only the first line\rand no title\r');
  await screen.shows(/› Only the first line[\s\S]*Parked/);
  release();
  await screen.shows('y allow once');
  screen.type('y');
  await screen.shows(/Done in/);
  expect(told.at(-1)).toMatch(/Only the first line.*and no title/);
  expect(screen.text()).not.toContain('✗');
});

it('without redrawing, a line continues the parked run too', async () => {
  screen = openScreen({ cwd, rows: 40, env: { ...env, CAPSTAN_PLAIN: '1' } });
  await screen.shows('Type a task');
  screen.type('/resume\r');
  await screen.shows('No run is parked here');
  screen.type(`${TASK}\r`);
  await screen.shows('Approve?');
  screen.type('\u0003');
  await screen.shows('The next line continues it with your words');
  screen.type('Only the first line\r');
  await screen.shows(/Only the first line[\s\S]*Approve\?/);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  screen.type('y\r');
  await screen.shows(/It shouts|The poem shouts/);
  expect(told.at(-1)).toContain('Only the first line');
});

it.each([
  ['is the next task', '', /Done in[\s\S]*› And only the first line[\s\S]*Done in/],
  ['is in the line after /clear', '/clear\r', /^› And only the first line$/m],
])('a message that came too late for a run %s', async (_end, typed, shown) => {
  hasTwoSteps = true;
  const late = new Promise<void>((resolve) => {
    answering = resolve;
  });
  let release = () => {};
  held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('y');
  await late;
  screen.type('And only the first line\r');
  await screen.shows('› And only the first line');
  screen.type(typed);
  release();
  await screen.shows('! The run ended before it read');
  await screen.shows(shown);
});

it('without a model, what is typed during a run is the next task; Up takes it back', async () => {
  await open({ CAPSTAN_PROVIDER: 'offline' });
  screen.type('Run `sleep 4`\r');
  await screen.shows('Enter adds the next task');
  screen.type('Count the words of poem.txt\r');
  await screen.shows('○ next: Count the words');
  screen.type('Count the words of poem.md\r');
  await screen.shows('○ next: Count the words of poem.md');
  screen.type('\u001b[A');
  await screen.hides('○ next: Count the words of poem.md');
  await screen.shows(/^› Count the words of poem.md$/m);
  screen.type('\u0015');
  await screen.shows(/Done in[\s\S]*› Count the words of poem.txt[\s\S]*Done in/);
});

it('after Esc, a line is a new task, and waiting tasks are in the line', async () => {
  await open({ CAPSTAN_PROVIDER: 'offline' });
  screen.type('Run `sleep 30`\r');
  await screen.shows('Enter adds the next task');
  screen.type('Count the words of poem.txt\r');
  await screen.shows('○ next: Count the words');
  screen.type('\u001b');
  await screen.shows('Parked');
  await screen.shows(/^› Count the words of poem.txt\n {2}Enter starts a new task/m);
  screen.type('\r');
  await screen.shows(/Done in/);
  screen.type('/resume\r');
  await screen.shows(/1 Run `sleep 30`.*run/);
});

it('Ctrl-C answers every press, and names the key that stops the run', async () => {
  hold = new Promise(() => {});
  const notice = 'Ctrl-C again quits · Esc stops this run';
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('think');
  for (const _time of ['first', 'again']) {
    const [from, pressedMs] = [screen.written().length, performance.now()];
    screen.type('\u0003');
    await screen.wrote(notice, from);
    await screen.hides(notice);
    expect(performance.now() - pressedMs).toBeGreaterThan(900);
  }
  await screen.shows('Enter sends a message to this run · Esc stops it');
  const from = screen.written().length;
  screen.type('\u0004');
  await screen.wrote('Ctrl-D again quits', from);
});

it('Ctrl-C at a question goes to the line, which names the keys', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('\u0003');
  await screen.shows('1 question waits · Tab · Esc stops this run');
  const from = screen.written().length;
  screen.type('\u0003');
  await screen.wrote('Ctrl-C again quits · Esc stops this run', from);
  screen.type('\t');
  await screen.shows('y allow once');
  screen.type('Y');
  await screen.shows('Esc back');
  screen.type('\u0003');
  await screen.shows('y allow once');
});

it('two quick Ctrl-C at a question quit, and the run parks', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  const from = screen.written().length;
  screen.type('\u0003');
  await screen.wrote('Ctrl-C again quits · Esc stops this run', from);
  screen.type('\u0003');
  expect(await screen.ended).toBe(3);
});

it('a line that was typed while it started is sent', async () => {
  screen = openScreen({ cwd, env });
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
});

it('several lines that were typed while it started are not sent before Enter', async () => {
  screen = openScreen({ cwd, env });
  screen.type(`${TASK}\ry\r`);
  await screen.shows(new RegExp(`› ${TASK}\n\\s*y$`, 'm'));
  expect(told).toEqual([]);
});

it('/new starts another task of the session, and the parked run stays parked', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('s');
  await screen.shows('  /approvals answers it\n');
  await screen.shows(
    /^ {2}Enter denies it with your words · \/resume asks again · Esc discards it$/m,
  );
  await new Promise((resolve) => setTimeout(resolve, 600));
  screen.type('\u001b');
  await screen.shows(/Discard run [0-9a-f]{8} for good\? {2}y yes {2}n no/);
  screen.type('try again');
  await screen.shows('Ignored what you typed. Type y or n');
  screen.type('n');
  await screen.shows('/resume asks again');
  screen.type('/new Write it once more\r');
  await screen.shows('y allow once');
  screen.type('y');
  await screen.shows(/Done in/);
  const list = (what: string) =>
    JSON.parse(
      execFileSync(process.execPath, [launcher, what, 'list', '--json'], {
        ...{ cwd, env, encoding: 'utf8' },
      }),
    );
  expect(list('sessions')).toMatchObject([{ runs: 2, status: 'completed' }]);
  expect(list('runs')).toMatchObject([{ status: 'completed' }, { status: 'parked' }]);
});

it('names the run of a text that is not about the run in front', async () => {
  await open({ CAPSTAN_PROVIDER: 'offline' });
  screen.type('Run `sleep 3`\r');
  await screen.shows('Enter adds the next task');
  screen.type('/new Count the words of poem.txt\r');
  await screen.shows(/Done in[\s\S]*\n[0-9a-f]{8} {2}Run `sleep 3`\n[\s\S]*Done in/);
  expect(screen.text()).not.toMatch(/^[0-9a-f]{8} {2}Count/m);
});

it('prints the open question again on Ctrl-L', async () => {
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('\u000c');
  await screen.shows(/(?:\? Allow file-clerk to change poem.txt[\s\S]*){2}y allow once/);
  expect(screen.text().match(/y allow once/g)).toHaveLength(1);
});

it('prints the question of a run that is not in front again with the name of the run', async () => {
  const release = holdModel();
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('think');
  hold = new Promise(() => {});
  screen.type('/new Write it once more\r');
  await screen.shows(/^. [0-9a-f]{8} .*Rewrite/m);
  release();
  const question = /[0-9a-f]{8} {2}Rewrite poem.txt in capitals\n\n?\? Allow file-clerk/;
  await screen.shows(question);
  screen.type('\u000c');
  await screen.shows(new RegExp(`${question.source}[\\s\\S]*${question.source}`));
});

it('the pager keeps the keyboard when Ctrl-L was typed with the key that opened it', async () => {
  await open({
    PAGER:
      'cat; sleep 0.1; echo Page 1; read -r typed </dev/tty; echo "The pager reads $typed"; true',
  });
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('y');
  await screen.shows(/Done in/);
  screen.type('\u000f\u000c');
  await screen.shows('Page 1');
  screen.type('everything\r');
  await screen.shows('The pager reads everything');
  await screen.shows('/ menu');
});

it('/new after a parked run of an earlier program starts beside it, with the model of that run', async () => {
  await open();
  screen.type('/model other-model\r');
  await screen.shows('The provider does not list other-model.');
  await screen.shows('? Use it anyway?  y yes  n no');
  screen.type('y');
  await screen.shows('✓ other-model');
  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  screen.type('s');
  await screen.shows('  /approvals answers it\n');
  screen.type('/quit\r');
  await screen.ended;
  screen = openScreen({ cwd, env, args: ['-c'] });
  await screen.shows('the next line continues the parked run with your words');
  expect(screen.text()).toMatch(
    /^› Rewrite poem.txt in capitals\n‖ parked.* · \/resume continues it$/m,
  );
  await screen.shows('✓ other-model from the next task');
  await screen.shows('Enter continues it with your words · /new starts a task');
  screen.type('/clear\r/model\r');
  await screen.shows(/^Models · .*from the settings/m);
  screen.type('\u001b');
  await screen.hides('Models · ');
  screen.type('/sessions\r');
  await screen.shows('Sessions in');
  screen.type('\r');
  await screen.shows('Enter continues it with your words · /new starts a task');
  screen.type('/new Write it once more\r');
  await screen.shows(/› \/new Write it[\s\S]*other-model · [\s\S]*y allow once/);
});

it.each([
  ['with redrawing', ''],
  ['without', '1'],
])(
  'a line after --continue continues the parked run as in the program that parked it, %s',
  async (_how, plain) => {
    const release = holdModel();
    await open();
    screen.type(`${TASK}\r`);
    await screen.shows('think');
    screen.kill('SIGKILL');
    await screen.ended;
    release();
    screen = openScreen({ cwd, rows: 40, env: { ...env, CAPSTAN_PLAIN: plain }, args: ['-c'] });
    await screen.shows(
      /The next line continues|the next line continues the parked run with your words/,
    );
    screen.type('Only the first line\r');
    await screen.shows(plain === '' ? 'y allow once' : 'Approve?');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    screen.type('y\r');
    await screen.shows(/It shouts|The poem shouts/);
    expect(told.at(-1)).toContain('Only the first line');
  },
);

it('quitting parks the run that works and says which', async () => {
  hold = new Promise(() => {});
  await open();
  screen.type(`${TASK}\r`);
  await screen.shows('Esc stops it');
  await screen.shows('think');
  screen.type('\u0003\u0003');
  expect(await screen.ended).toBe(3);
  expect(screen.text()).toMatch(/[0-9a-f]{8} is parked: Rewrite poem.*capstan resume [0-9a-f]{8}/);
});

it('quitting hands the run that works to a running server', async () => {
  const release = holdModel();
  await open();
  const serve = spawn(process.execPath, [launcher, 'serve', '--json', '--port', '0'], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(serve.stdout, 'data');
    screen.type(`${TASK}\r`);
    await screen.shows('think');
    screen.type('\u0003\u0003');
    expect(await screen.ended).toBe(0);
    const handedOver = /([0-9a-f]{8}) continues in serve: Rewrite poem.*capstan runs follow \1/;
    await screen.shows(handedOver);
    release();
    const list = [launcher, 'approvals', 'list', '--json'];
    const questions = () => execFileSync(process.execPath, list, { cwd, env, encoding: 'utf8' });
    await expect.poll(questions, { interval: 500 }).toContain('poem.txt');
  } finally {
    serve.kill();
    if (serve.exitCode === null) await once(serve, 'exit');
  }
});
