import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { failedWith } from '../../../contract/errors.ts';
import { command, init } from './config.ts';
import { trustCommand } from './config-trust.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

const io = (changes: Parameters<typeof ioOf>[1] = {}) =>
  ioOf({ environment: person.environment, cwd: person.project }, changes);
const none = { positionals: [], options: {} };
const withOptions = (options: Record<string, unknown>) => ({ positionals: [], options });

describe('capstan config', () => {
  it('prints each effective value and its source', async () => {
    const path = person.writeOwn('config.yaml', 'concurrency: 2\n');
    const recorded = io({ environment: { ...person.environment, CAPSTAN_WRITE_GATE: 'ask' } });
    expect(await command.run(none, recorded)).toBe(0);
    expect(recorded.out()).toMatch(new RegExp(`CAPSTAN_CONCURRENCY +2 +${path}:1\n`));
    expect(recorded.out()).toMatch(/CAPSTAN_WRITE_GATE +ask +CAPSTAN_WRITE_GATE\n/);
    expect(recorded.out()).toMatch(/CAPSTAN_MAX_SUBTASKS +20 +default\n/);
    expect(recorded.out()).toContain(`workspace  ${person.project}\n`);
    expect(recorded.out()).not.toContain('CAPSTAN_MODEL_DIR');
  });

  it('names a flag as it is typed', async () => {
    const recorded = io();
    await command.run(withOptions({ workspace: person.project }), recorded);
    expect(recorded.out()).toMatch(/CAPSTAN_WORKSPACE +\S+ +--workspace\n/);
  });

  it('also prints settings without a value with --all', async () => {
    const recorded = io();
    await command.run(withOptions({ all: true }), recorded);
    expect(recorded.out()).toMatch(/CAPSTAN_MODEL_DIR +\(not set\) +default\n/);
  });

  it.each([{}, { all: true }, { json: true }])('never prints a secret: %j', async (options) => {
    person.writeOwn('.env', 'OPENAI_API_KEY=sk-0123456789abcdefXYZW\n');
    const recorded = io({
      environment: { ...person.environment, HTTPS_PROXY: 'http://me:hunter2@proxy:3128' },
    });
    await command.run(withOptions(options), recorded);
    expect(recorded.out()).toContain('****XYZW');
    expect(recorded.out() + recorded.errors()).not.toMatch(/0123456789|hunter2/);
  });

  it('prints one JSON document with --json', async () => {
    person.writeProject('capstan.yaml', 'concurrency: 1\n');
    const recorded = io();
    expect(await command.run(withOptions({ json: true, trustProject: true }), recorded)).toBe(0);
    expect(JSON.parse(recorded.out())).toMatchObject({
      workspace: person.project,
      places: { configDir: join(person.home, 'config') },
      settings: {
        CAPSTAN_CONCURRENCY: {
          value: '1',
          layer: 'project',
          source: join(person.project, 'capstan.yaml:1'),
        },
        OPENAI_API_KEY: { value: null, layer: 'default' },
      },
      project: [{ path: 'capstan.yaml', state: 'trusted' }],
    });
    expect(recorded.errors()).toBe('');
  });

  it('reports every invalid value', async () => {
    const recorded = io({ environment: { ...person.environment, CAPSTAN_CONCURRENCY: 'x' } });
    await expect(command.run(none, recorded)).rejects.toSatisfy((error) =>
      failedWith(error, 'SETTINGS_INVALID'),
    );
  });
});

describe('capstan config trust', () => {
  const trusted = async () => (await person.load()).settings.concurrency === 2;
  beforeEach(() => void person.writeProject('capstan.yaml', 'concurrency: 2 # \u001b[8mhidden\n'));

  it('shows the files with their content, escaped, and records them with --yes', async () => {
    person.writeProject('agents/clerk/manifest.json', '{}');
    const recorded = io();
    expect(await trustCommand.run(withOptions({ yes: true }), recorded)).toBe(0);
    expect(recorded.out()).toContain('new      capstan.yaml');
    expect(recorded.out()).toContain('│ +concurrency: 2 # \\u001b[8mhidden');
    expect(recorded.out()).toContain('new      agents/clerk/manifest.json');
    expect(recorded.out()).toContain(`Trusted: 2 files of ${person.project}.`);
    expect(await trusted()).toBe(true);
  });

  it.each([
    ['y\n', 0, true],
    ['YES\n', 0, true],
    ['n\n', 1, false],
    ['\n', 1, false],
    ['', 1, false],
    ['yesterday\n', 1, false],
  ])('asks on a terminal: %j', async (answer, exitCode, isTrusted) => {
    const recorded = io({ isTerminal: true, input: Readable.from(answer === '' ? [] : [answer]) });
    expect(await trustCommand.run(none, recorded)).toBe(exitCode);
    expect(recorded.errors()).toContain('Trust these files as they are?');
    expect(await trusted()).toBe(isTrusted);
  });

  it('trusts nothing without a terminal, and names --yes', async () => {
    const error = await trustCommand.run(none, io()).catch((it: unknown) => it);
    expect(failedWith(error, 'USAGE')).toBe(true);
    expect(String(error)).toContain('--yes');
    expect(await trusted()).toBe(false);
  });

  it('refuses a project whose settings are invalid', async () => {
    person.writeProject('capstan.yaml', 'provider: openai\n');
    const error = await trustCommand
      .run(withOptions({ yes: true }), io())
      .catch((it: unknown) => it);
    expect(failedWith(error, 'SETTINGS_INVALID')).toBe(true);
    await expect(person.load()).resolves.toBeDefined();
  });

  it('prints as JSON what it found and what it accepted', async () => {
    const looked = io({ isTerminal: true });
    expect(await trustCommand.run(withOptions({ json: true }), looked)).toBe(0);
    expect(JSON.parse(looked.out())).toMatchObject({ accepted: [] });
    expect(await trusted()).toBe(false);
    const recorded = io();
    expect(await trustCommand.run(withOptions({ yes: true, json: true }), recorded)).toBe(0);
    expect(JSON.parse(recorded.out())).toMatchObject({
      folder: person.project,
      files: [{ path: 'capstan.yaml', state: 'new' }],
      accepted: ['capstan.yaml'],
    });
  });

  it('has nothing to do if everything is trusted', async () => {
    await trustCommand.run(withOptions({ yes: true }), io());
    const recorded = io();
    expect(await trustCommand.run(none, recorded)).toBe(0);
    expect(recorded.out()).toContain('Nothing new to trust.');
  });

  it('has nothing to do in a folder without Capstan files', async () => {
    const recorded = io({ cwd: person.home });
    expect(await trustCommand.run(none, recorded)).toBe(0);
    expect(recorded.out()).toContain('there is nothing to trust');
  });

  it('records the content that was shown, not a later one', async () => {
    const path = join(person.project, 'capstan.yaml');
    // The file is changed before the question is answered.
    const input = Readable.from(
      (async function* () {
        person.writeProject('capstan.yaml', 'concurrency: 1\n');
        yield 'y\n';
      })(),
    );
    expect(await trustCommand.run(none, io({ isTerminal: true, input }))).toBe(0);
    const { settings, project } = await person.load();
    expect(settings.concurrency).toBe(4);
    expect(project.files).toMatchObject([{ path: 'capstan.yaml', state: 'changed' }]);
    expect(readFileSync(path, 'utf8')).toBe('concurrency: 1\n');
  });
});

describe('capstan config init', () => {
  it('writes a commented capstan.yaml and trusts it', async () => {
    person.writeProject('AGENTS.md', 'house rules');
    const recorded = io();
    expect(await init.run(none, recorded)).toBe(0);
    expect(recorded.out()).toContain(`Wrote ${join(person.project, 'capstan.yaml')}`);
    const { project } = await person.load();
    expect(Object.fromEntries(project.files.map((it) => [it.path, it.state]))).toEqual({
      'capstan.yaml': 'trusted',
      'AGENTS.md': 'new',
    });
  });

  it('never overwrites a file, and does not trust an existing one', async () => {
    const path = person.writeProject('capstan.yaml', 'concurrency: 1\n');
    const recorded = io();
    expect(await init.run(none, recorded)).toBe(0);
    expect(recorded.out()).toBe(`${path} exists; it was not changed.\n`);
    expect(readFileSync(path, 'utf8')).toBe('concurrency: 1\n');
    expect((await person.load()).settings.concurrency).toBe(4);
  });
});
