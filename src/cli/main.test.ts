import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandLine } from '../../test/programs/command-line.ts';
import { main } from './main.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'capstan-main-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function capstan(words: readonly string[], capstanHome = join(home, 'capstan')) {
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CAPSTAN_HOME: capstanHome,
  };
  return commandLine(words, { main, cwd: home, environment });
}

it.each([
  ['help run', 'Usage: capstan run '],
  ['run --help', 'Usage: capstan run '],
  ['runs', '', 2],
  ['runs --help', 'Usage: capstan runs <command> [run]'],
  ['help runs audit', 'Usage: capstan runs audit <command>'],
  ['doctor --help', 'breakers'],
  ['cost --help', 'Usage: capstan runs cost'],
  ['help exit-codes', '124  the time limit of the run, or of a capsule, is over'],
])('shows the help that "capstan %s" asks for', async (words, text, code = 0) => {
  const { exitCode, stdout } = await capstan(words.split(' '));
  expect({ exitCode, hasText: stdout.includes(text) }).toEqual({ exitCode: code, hasText: true });
});

it.each([
  ['help nonsense', 'There is no command "nonsense".', 'capstan --help'],
  ['docter', 'Did you mean capstan doctor?', 'capstan doctor'],
  ['rnu', 'Did you mean capstan run?', 'capstan run'],
  ['undo', 'Did you mean capstan runs undo?', 'capstan runs undo'],
  ['braekers', 'Did you mean capstan doctor breakers?', 'capstan doctor breakers'],
  ['compile', 'There is no command "compile".', 'capstan run "compile"  # as a task'],
  ['fix the tests', 'There is no command "fix".', 'capstan run "fix the tests"  # as a task'],
  ['--nonsense', 'There is no option "--nonsense"', 'capstan --help'],
  [
    '--provider offline',
    '"--provider" without a command opens a conversation, which needs a terminal.',
    'capstan run --provider offline "task"',
  ],
  ['--session abc', 'which needs a terminal.', 'capstan run --session abc "task"'],
  ['-w dir fix', 'There is no option "-w"', 'capstan run -w dir fix\n'],
  ['-c', 'which needs a terminal.', 'capstan run -c "task"'],
  ['-c --nonsense', 'which needs a terminal.', 'capstan run --help'],
  ['runs show', "Missing required argument 'run'.", 'capstan runs show --help'],
  ['run', 'Name a task: capstan run "…", or capstan run - to read it', 'capstan run --help'],
  ['run --nonsense task', "Unknown option '--nonsense'.", 'capstan run --help'],
  ['runs show --jsno x', 'Did you mean --json?', 'capstan runs show --help'],
  ['runs foo', 'There are: list, show', 'capstan runs --help'],
  ['runs lst', 'Did you mean capstan runs list?', 'capstan runs list'],
  ['config nonsense', 'There are: show, init, trust.', 'capstan config --help'],
])(
  'refuses "capstan %s" with 2, says what is wrong, and what to type',
  async (words, text, line) => {
    const { exitCode, stderr } = await capstan(words.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^✗ /);
    expect(stderr).toContain(text);
    expect(stderr).toContain(line);
    expect(stderr).toMatch(/\n {2}Try: capstan /);
  },
);

it('carries out one argument with a space in it as a task, with the options after it', async () => {
  const task = 'write "hello" to note.txt';
  const { exitCode, stdout } = await capstan([task, '--provider', 'offline', '--json']);
  expect({ exitCode, run: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    run: { status: 'completed' },
  });
  expect(existsSync(join(home, 'note.txt'))).toBe(true);
});

it('prints help without arguments if there is no terminal', async () => {
  const { exitCode, stdout } = await capstan([]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: (await capstan(['--help'])).stdout });
});

it('names the ways to pass a task if there is only text on stdin', async () => {
  const printed: string[] = [];
  const stderr = (text: string) => void printed.push(text);
  const io = {
    stdout: stderr,
    stderr,
    isTerminal: false,
    isPiped: true,
    environment: {},
    cwd: home,
  };
  expect(await main([], () => io)).toBe(2);
  expect(printed.join('')).toContain(
    '✗ Name a task: capstan run "…", or capstan run - to read it from stdin.\n',
  );
});

it.each([
  ['run --json', 'USAGE'],
  ['resume nope --json', 'RUN_UNKNOWN'],
  ['runs replay nope --json', 'RUN_UNKNOWN'],
  ['replay nope --json', 'RUN_UNKNOWN'],
  ['approvals show nope --json', 'APPROVAL_UNKNOWN'],
  ['runs cost --by nothing --json', 'USAGE'],
  ['nope --json', 'USAGE'],
])('prints one document for "capstan %s" with the error', async (words, code) => {
  const { exitCode, stdout } = await capstan(words.split(' '));
  expect({ exitCode, document: JSON.parse(stdout) }).toMatchObject({
    exitCode: 2,
    document: { error: { code } },
  });
});

it.each(['config init', 'runs list', 'run --provider offline hello', 'resume'])(
  'ends "capstan %s" with 2 if CAPSTAN_HOME is not a folder, and names it',
  async (words) => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    const { exitCode, stderr } = await capstan(words.split(' '), file);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/file is not a folder/),
    });
    expect(existsSync(join(home, 'capstan.yaml'))).toBe(false);
  },
);
