import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'capstan-main-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function capstan(words: string, capstanHome = join(home, 'capstan')) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words.split(' ')], {
    encoding: 'utf8',
    cwd: home,
    timeout: 20_000,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, CAPSTAN_HOME: capstanHome },
  });
  return { status, stdout, stderr };
}

it.each([
  ['help run', 'Usage: capstan run'],
  ['run --help', 'Usage: capstan run'],
])('shows the help that "capstan %s" asks for, and ends with 0', (words, text) => {
  const { status, stdout } = capstan(words);
  expect({ status, hasText: stdout.includes(text) }).toEqual({ status: 0, hasText: true });
});

it.each([
  ['help nonsense', 'Usage: capstan'],
  ['nonsense', "unknown command 'nonsense'"],
  ['run', 'missing required argument'],
  ['run', '`capstan run --help`'],
  ['run --nonsense task', '`capstan run --help`'],
  ['runs foo', 'capstan runs has no subcommand "foo". There are: list, show'],
  ['runs lst', 'Did you mean list?'],
  ['config nonsense', 'There are: trust'],
])('refuses "capstan %s" with 2, and lists what is valid', (words, text) => {
  const { status, stderr } = capstan(words);
  expect({ status, hasText: stderr.includes(text) }).toEqual({ status: 2, hasText: true });
});

it.each([
  ['run --json', 'USAGE'],
  ['resume nope --json', 'RUN_UNKNOWN'],
  ['replay nope --json', 'RUN_UNKNOWN'],
  ['approvals show nope --json', 'APPROVAL_UNKNOWN'],
  ['cost --by nothing --json', 'USAGE'],
])('prints one document for "capstan %s" with the error', (words, code) => {
  const { status, stdout } = capstan(words);
  expect({ status, document: JSON.parse(stdout) }).toMatchObject({
    status: 2,
    document: { error: { code } },
  });
});

it.each(['init', 'runs list', 'run --provider offline hello', 'resume'])(
  'ends "capstan %s" with 2 if CAPSTAN_HOME is not a folder, and names it',
  (words) => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    const { status, stderr } = capstan(words, file);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/file is not a folder/),
    });
    expect(existsSync(join(home, 'capstan.yaml'))).toBe(false);
  },
);
