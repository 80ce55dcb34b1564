import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { failedWith } from '../../../contract/errors.ts';
import { type Capstan, openCapstan } from '../../open-capstan.ts';

const KEY = 'sk-ant-of-the-test-0123456789abcdx4Qd';

let person: Person;
let capstan: Capstan;
const open = (env: Record<string, string> = {}) =>
  openCapstan({
    env: { ...person.environment, OLLAMA_BASE_URL: 'http://127.0.0.1:1', ...env },
    cwd: person.project,
  });
const own = (name: string) => join(person.home, 'config', name);
const read = (name: string) => readFileSync(own(name), 'utf8');
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await open();
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

describe('what setup proposes', () => {
  it('shows each change with its file, the key masked, and writes nothing yet', async () => {
    const proposal = await capstan.setup.propose({ provider: 'anthropic', key: KEY });
    expect(proposal.changes).toEqual([
      { file: own('config.yaml'), setting: 'provider', before: null, after: 'anthropic' },
      { file: own('.env'), setting: 'ANTHROPIC_API_KEY', before: null, after: '********x4Qd' },
    ]);
    expect(JSON.stringify(proposal)).not.toContain(KEY);
    expect(existsSync(own('.env'))).toBe(false);
    expect(existsSync(own('config.yaml'))).toBe(false);
  });

  it('removes what belonged to another provider, and keeps the rest', async () => {
    person.writeOwn(
      'config.yaml',
      'base_url: http://127.0.0.1:8000/v1\nmodel:\n  balanced: qwen3\n',
    );
    const { changes } = await capstan.setup.propose({ provider: 'gemini', key: KEY });
    expect(changes.map(({ setting, before, after }) => [setting, before, after])).toEqual([
      ['provider', null, 'gemini'],
      ['base_url', 'http://127.0.0.1:8000/v1', null],
      ['model.balanced', 'qwen3', null],
      ['GEMINI_API_KEY', null, '********x4Qd'],
    ]);
  });

  it('writes models only where they differ from those of the vendor', async () => {
    const models = {
      fast: 'claude-sonnet-5',
      balanced: 'claude-sonnet-5',
      best: 'claude-opus-5-5',
    };
    const { changes } = await capstan.setup.propose({ provider: 'anthropic', models });
    expect(changes.map(({ setting }) => setting)).toEqual([
      'provider',
      'model.fast',
      'model.balanced',
      'model.best',
    ]);
  });

  it('is empty if all is as chosen', async () => {
    person.writeOwn('config.yaml', 'provider: offline\n');
    expect((await capstan.setup.propose({ provider: 'none' })).changes).toEqual([]);
  });

  it('names the sources that override it', async () => {
    const other = await open({
      ANTHROPIC_API_KEY: 'sk-another-key-0123456789',
      CAPSTAN_PROVIDER: 'openai',
    });
    const { overrides } = await other.setup.propose({ provider: 'anthropic', key: KEY });
    await other.close();
    expect(overrides).toEqual([
      {
        setting: 'CAPSTAN_PROVIDER',
        layer: 'environment',
        source: 'CAPSTAN_PROVIDER',
        value: 'openai',
      },
      {
        setting: 'ANTHROPIC_API_KEY',
        layer: 'environment',
        source: 'ANTHROPIC_API_KEY',
        value: '********6789',
      },
    ]);
  });

  it.each([
    [{ provider: 'openai', key: 'two words' }, 'key'],
    [{ provider: 'ollama', key: KEY }, 'key'],
    [{ provider: 'server' }, 'baseUrl'],
    [{ provider: 'server', baseUrl: 'ftp://x' }, 'baseUrl'],
    [{ provider: 'cohere' }, 'provider'],
    [{ provider: 'openai', models: { fast: 'a b', balanced: 'x', best: 'x' } }, 'models'],
  ])('refuses %j, naming the field', async (selection, field) => {
    await expect(capstan.setup.propose(selection as never)).rejects.toSatisfy(
      (error) => failedWith(error, 'USAGE') && error.details.field === field,
    );
  });
});

describe('what setup writes', () => {
  const write = async () =>
    capstan.setup.write(await capstan.setup.propose({ provider: 'anthropic', key: KEY }));

  it('is readable for the user only, and effective immediately', async () => {
    await write();
    for (const name of ['.env', 'config.yaml'])
      expect(statSync(own(name)).mode & 0o777).toBe(0o600);
    const { values } = await capstan.settings.get();
    expect(values.find(({ name }) => name === 'CAPSTAN_PROVIDER')?.value).toBe('anthropic');
    expect(values.find(({ name }) => name === 'ANTHROPIC_API_KEY')?.value).toBe('********x4Qd');
  });

  it('keeps comments and all other lines', async () => {
    person.writeOwn(
      'config.yaml',
      '# mine\nprovider: openai # for now\nbudget:\n  run_usd: "2.50" # a run\n',
    );
    person.writeOwn(
      '.env',
      "# keys\nOPENAI_API_KEY='sk-of-openai-0123456789'\nANTHROPIC_API_KEY=old\n\nOTHER=1\n",
    );
    await write();
    expect(read('config.yaml')).toBe(
      '# mine\nprovider: anthropic # for now\nbudget:\n  run_usd: "2.50" # a run\n',
    );
    expect(read('.env')).toBe(
      `# keys\nOPENAI_API_KEY='sk-of-openai-0123456789'\nANTHROPIC_API_KEY=${KEY}\n\nOTHER=1\n`,
    );
  });

  it('is refused as a whole if a file changed since it was shown', async () => {
    const proposal = await capstan.setup.propose({ provider: 'anthropic', key: KEY });
    person.writeOwn('config.yaml', 'log_level: warn\n');
    await expect(capstan.setup.write(proposal)).rejects.toMatchObject({
      code: 'SETTINGS_NOT_WRITTEN',
      details: { path: own('config.yaml') },
    });
    expect(existsSync(own('.env'))).toBe(false);
  });

  it('writes the target of a link, which stays', async () => {
    const folder = join(person.home, '..', 'dotfiles');
    mkdirSync(folder);
    writeFileSync(join(folder, 'capstan.yaml'), '# linked\n');
    symlinkSync(join(folder, 'capstan.yaml'), own('config.yaml'));
    await write();
    expect(lstatSync(own('config.yaml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'capstan.yaml'), 'utf8')).toContain('provider: anthropic');
  });

  it.each([
    ['into the folder you work in', () => person.writeProject('.env', '')],
    ['to nothing', () => join(person.home, 'gone')],
  ])('never follows a link %s', async (_where, target) => {
    symlinkSync(target(), own('.env'));
    await expect(write()).rejects.toSatisfy((error) => failedWith(error, 'SETTINGS_NOT_WRITTEN'));
    expect(existsSync(own('config.yaml'))).toBe(false);
  });

  it('is refused if another value would change with it', async () => {
    person.writeOwn('.env', 'NOTE="\nANTHROPIC_API_KEY=inside\n"\n');
    await expect(write()).rejects.toSatisfy((error) => failedWith(error, 'SETTINGS_NOT_WRITTEN'));
  });
});

describe('whether setup is needed', () => {
  it('is so until a provider is chosen, a key is set or no model is wanted', async () => {
    expect(await capstan.setup.isNeeded()).toBe(true);
    const keyed = await open({ OPENAI_API_KEY: KEY });
    expect(await keyed.setup.isNeeded()).toBe(false);
    await keyed.close();
    await capstan.setup.write(await capstan.setup.propose({ provider: 'none' }));
    expect(await capstan.setup.isNeeded()).toBe(false);
  });
});
