import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandLine } from '../../../../test/programs/command-line.ts';
import { recordFailedRun } from '../../../../test/programs/record-failed-run.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { AppError } from '../../../contract/errors.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { main } from '../../main.ts';

const launcher = join(import.meta.dirname, '../../../../bin/capstan.js');
const hasZsh = spawnSync('zsh', ['--version']).status === 0;

let person: Person;
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  person = temporaryPerson();
  const bin = join(person.home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'capstan'), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(join(bin, 'capstan'), 0o755);
  environment = { ...person.environment, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
});
afterEach(() => person.remove());

/** A run that never started. Returns the id that people type. */
function recordRun(task: string): string {
  const stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
  try {
    const problem = new AppError('USAGE', { problem: 'bad' });
    return recordFailedRun(stores, { task, workspace: person.project }, problem).id.slice(-8);
  } finally {
    stores.close();
  }
}

const shell = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    encoding: 'utf8',
    cwd: person.project,
    env: environment,
    timeout: 20_000,
  });

const ended = (...words: string[]) =>
  commandLine(['__complete', '--', ...words], { main, cwd: person.project, environment });
const complete = async (...words: string[]) => (await ended(...words)).stdout;
const valuesOf = (lines: string) => lines.match(/^[^\t\n]+/gm) ?? [];

describe('the words at the cursor', () => {
  it.each<[string[], string[]]>([
    [['ru'], ['run', 'runs']],
    [['runs', 'a'], ['audit']],
    [
      ['audit', ''],
      ['verify', 'export'],
    ],
    [['trust', 'show', '--j'], ['--json']],
    [
      ['run', '--approve-mode', ''],
      ['ask', 'allow', 'deny'],
    ],
    [
      ['run', '--require-isolation', ''],
      ['A', 'B', 'C'],
    ],
    [['run', '--log-level', 'w'], ['warn']],
    [['capsules', 'inspect', 'log-'], ['log-analyst']],
    [['run', 'fix it', '--capsule', 'log-'], ['log-analyst']],
    [['completion', 'z'], ['zsh']],
    [['run', 'a task', ''], []],
    [['help', 'policy', 'tr'], ['trust']],
    [['nonsense', ''], []],
    [['fix the tests', '--appr'], ['--approve-mode']],
  ])('of %j are %j', async (words, values) => {
    const found = valuesOf(await complete(...words));
    expect(found.filter((value) => value !== '--help')).toEqual(values);
  });

  it('are the ids of runs with their tasks, escaped', async () => {
    const id = recordRun('count \u001b[2J lines');
    expect(await complete('runs', 'show', '')).toBe(
      `last\tnewest\n${id}\tfailed: count \\u001b[2J lines\n`,
    );
    expect(valuesOf(await complete('runs', 'delete', 'x', ''))).toEqual([id]);
    expect(valuesOf(await complete('capsules', 'route', '--run', ''))).toEqual(['last', id]);
  });

  it('are none, without a message, if something is wrong', async () => {
    const file = join(person.home, 'file');
    writeFileSync(file, '');
    environment = { ...environment, CAPSTAN_HOME: file };
    expect(await ended('runs', 'show', 'x')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('in bash', () => {
  const bash = (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const script = `eval "$(capstan completion bash)"; COMP_WORDS=(capstan ${quoted}); COMP_CWORD=${words.length}; COMP_TYPE=9; _capstan capstan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return shell('bash', ['--norc', '-c', script]).split('\n').filter(Boolean);
  };

  it('a single match is inserted, several are shown with their descriptions', () => {
    expect(bash('runs', 'fol')).toEqual(['follow']);
    expect(bash('ru')).toEqual([
      'run  (Carry out one task and print its answer)',
      'runs  (List, show, follow, undo, replay and delete runs)',
    ]);
  });

  it('leaves files to the completion of the shell', () => {
    expect(bash('run', '')).toEqual([]);
    expect(
      shell('bash', ['--norc', '-c', 'eval "$(capstan completion bash)"; complete -p capstan']),
    ).toContain('-o default');
  });
});

describe.skipIf(!hasZsh)('in zsh', () => {
  const zsh = (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const stubs = `compdef() { :; }; _files() { print files; }; _describe() { print -l "\${(@P)2}"; };`;
    const script = `${stubs} eval "$(capstan completion zsh)"; words=(capstan ${quoted}); CURRENT=${words.length + 1}; _capstan`;
    return shell('zsh', ['-f', '-c', script]).split('\n').filter(Boolean);
  };

  it('each word has its description', () => {
    expect(zsh('runs', 'fol')).toEqual(['follow:Show the events of a run as they happen']);
    const id = recordRun('count the lines');
    expect(zsh('runs', 'delete', '')).toEqual([`${id}:failed: count the lines`]);
  });

  it('leaves files to the completion of the shell', () => {
    expect(zsh('run', '')).toEqual(['files']);
  });
});
