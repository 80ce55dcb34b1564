import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHooksFile } from './hooks-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-hooks-file-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = (text: string, mode = 0o600) => {
  const path = join(dir, 'hooks.yaml');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return readHooksFile(dir);
};

const entry = (lines: string) => `hooks:\n  - id: check\n    ${lines.replaceAll('\n', '\n    ')}\n`;
const program = 'command: [/usr/bin/true]';

describe('hooks.yaml', () => {
  it('that is missing means no hooks', async () => {
    expect(await readHooksFile(dir)).toEqual([]);
  });

  it('returns hooks in order, enforcing and with 5 s by default', async () => {
    const second = '  - { id: b, on: [post_run], mode: observe, module: /h.mjs, timeout_ms: 20 }';
    expect(await read(`${entry(`on: [pre_run]\n${program}`)}${second}\n`)).toEqual([
      {
        id: 'check',
        on: ['pre_run'],
        mode: 'enforce',
        command: ['/usr/bin/true'],
        timeout_ms: 5_000,
      },
      { id: 'b', on: ['post_run'], mode: 'observe', module: '/h.mjs', timeout_ms: 20 },
    ]);
  });

  it.each([
    [
      'an unknown point',
      `on: [before_run]\n${program}`,
      /yaml:3 .*before_run.*write some of pre_run/,
    ],
    ['no point', `on: []\n${program}`, /yaml:3 .*name at least one point/],
    ['an unknown mode', `on: [pre_run]\nmode: strict\n${program}`, /yaml:4 .*write enforce or/],
    [
      'a misspelt field',
      `on: [pre_run]\ntimeout: 5\n${program}`,
      /yaml:4 .*timeout.*no such field/,
    ],
    [
      'a glob with more than one reading',
      `on: [pre_run]\ncapsules: ["log-{1..3}"]\n${program}`,
      /yaml:4 .*log-.*list the names/,
    ],
    [
      'a pattern of other signs',
      `on: [pre_run]\ntools: ["@(terminal|chat)"]\n${program}`,
      /yaml:4 .*terminal.*write a name, or a glob/,
    ],
    ['a deadline of nothing', `on: [pre_run]\ntimeout_ms: 0\n${program}`, /yaml:4 .*at least 10/],
    ['neither program nor module', 'on: [pre_run]', /write either command .* or module/],
    [
      'both program and module',
      `on: [pre_run]\n${program}\nmodule: /h.mjs`,
      /write either command .* or module/,
    ],
    ['a program looked up by name', 'on: [pre_run]\ncommand: [check]', /yaml:4 .*an absolute path/],
    ['a program without a name', 'on: [pre_run]\ncommand: []', /yaml:4 .*command/],
    ['a relative module', 'on: [pre_run]\nmodule: h.mjs', /yaml:4 .*an absolute path/],
    ['an empty filter', `on: [pre_run]\ntools: []\n${program}`, /yaml:4 .*name at least one/],
  ])('with %s is refused, naming line, field and fix', async (_what, lines, problem) => {
    await expect(read(entry(lines))).rejects.toMatchObject({
      code: 'SETTINGS_INVALID',
      message: expect.stringMatching(problem),
    });
  });

  it('whose ids are not each their own is refused', async () => {
    const twice = `${entry(`on: [pre_run]\n${program}`)}  - { id: check, on: [post_run], module: /h }\n`;
    await expect(read(twice)).rejects.toThrow(/"check": another hook has this id/);
  });

  it.each([
    ['its group', 0o660],
    ['everybody', 0o602],
  ])('that %s may write is refused, with the command that mends it', async (_who, mode) => {
    await expect(read('hooks: []\n', mode)).rejects.toThrow(/chmod go-w/);
  });

  it('that is too long, no text or no file is refused, never taken for none', async () => {
    await expect(read(`# ${'x'.repeat(300_000)}`)).rejects.toThrow(/Shorten it/);
    await expect(read('hooks: [')).rejects.toThrow(/not valid YAML/);
    rmSync(join(dir, 'hooks.yaml'));
    mkdirSync(join(dir, 'hooks.yaml'));
    await expect(readHooksFile(dir)).rejects.toThrow(/not a file/);
  });
});
