import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/model-server/model-server.ts';
import { ioOf } from '../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { failedWith } from '../../contract/errors.ts';
import { command } from '../commands/settings/setup.ts';

const KEY = 'sk-of-the-test-0123456789abcdx4Qd';

let person: Person;
let server: ModelServer;
beforeEach(async () => {
  person = temporaryPerson();
  server = await startModelServer({
    vendor: 'openai',
    key: KEY,
    models: ['a', 'b'],
    script: () => ({ text: 'ok' }),
  });
});
afterEach(async () => {
  await server.close();
  person.remove();
});

const read = (name: string) => readFileSync(join(person.home, 'config', name), 'utf8');
const isWritten = () => existsSync(join(person.home, 'config/config.yaml'));
async function setup(options: Record<string, unknown>, key = KEY) {
  const context = { environment: person.environment, cwd: person.project };
  const io = ioOf(context, { input: Readable.from([`${key}\n`]) });
  const given = {
    provider: 'server',
    baseUrl: server.baseUrl,
    keyStdin: true,
    yes: true,
    check: true,
  };
  const code = await command.run({ positionals: [], options: { ...given, ...options } }, io);
  return { code, out: io.out(), errors: io.errors() };
}

describe('capstan setup with options', () => {
  it('checks the key of stdin, writes, and prints what it wrote without the key', async () => {
    const { code, out, errors } = await setup({ json: true });
    expect(code).toBe(0);
    expect(
      JSON.parse(out).written.map(({ setting, after }: Record<string, string>) => [setting, after]),
    ).toEqual([
      ['provider', 'openai'],
      ['base_url', server.baseUrl],
      ['model.balanced', 'a'],
      ['OPENAI_API_KEY', '********x4Qd'],
    ]);
    expect(`${out}${errors}`).not.toContain(KEY);
    expect(errors).toContain('a check is free');
    expect(read('config.yaml')).toBe(
      `provider: openai\nbase_url: ${server.baseUrl}\nmodel:\n  balanced: a\n`,
    );
    expect(server.chats).toHaveLength(1);
  });

  it('finds a server whose address was given without /v1, and says so', async () => {
    const { errors } = await setup({ baseUrl: `${server.origin}/` });
    expect(errors).toContain(`note: The server has its models at ${server.baseUrl}.`);
    expect(read('config.yaml')).toContain(`base_url: ${server.baseUrl}\n`);
  });

  it('accepts models by name', async () => {
    await setup({ model: 'b', best: 'c' });
    expect(read('config.yaml')).toContain('model:\n  fast: b\n  balanced: b\n  best: c\n');
    expect(server.chats[0]?.model).toBe('b');
  });

  it('writes nothing if the key is refused, unless no check is wanted', async () => {
    await expect(setup({}, 'sk-wrong-0123456789')).rejects.toSatisfy(
      (error) =>
        failedWith(error, 'PROVIDER_FAILED') && /invalid x-api-key.*--no-check/.test(error.message),
    );
    expect(isWritten()).toBe(false);
    await setup({ check: false }, 'sk-wrong-0123456789');
    expect(isWritten()).toBe(true);
  });

  it.each([
    ['without a provider', { provider: undefined }, '--provider'],
    ['without the address of a server', { baseUrl: undefined }, '--base-url'],
    ['with an unknown provider', { provider: 'cohere' }, '--provider'],
    ['without a terminal or --yes', { yes: undefined }, '--yes'],
  ])('says %s what to add', async (_what, options, flag) => {
    await expect(setup(options)).rejects.toSatisfy(
      (error) => failedWith(error, 'USAGE') && error.message.includes(flag),
    );
    expect(isWritten()).toBe(false);
  });
});
