import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../../../test/isolation/sandboxes.ts';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { checkNode } from '../../../app/doctor/checks/check-programs.ts';
import { schemaAfter } from '../../../db/migrations.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { command } from './doctor.ts';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly found: string;
}

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

/** A closed port. */
const closed = 'http://127.0.0.1:9';

async function examine(environment: NodeJS.ProcessEnv = {}) {
  const context = {
    environment: { ...person.environment, OLLAMA_BASE_URL: closed, ...environment },
    cwd: person.project,
  };
  const io = ioOf(context);
  const exitCode = await command.run({ positionals: [], options: { json: true } }, io);
  const { ok, checks } = JSON.parse(io.out()) as { ok: boolean; checks: Check[] };
  expect(ok).toBe(exitCode === 0);
  return { exitCode, text: io.out(), of: (name: string) => checks.find((it) => it.name === name) };
}

describe('capstan doctor', () => {
  it('finds everything that is needed, and exits with 0', async () => {
    const { exitCode, of } = await examine();
    expect(exitCode).toBe(0);
    for (const name of ['Node', 'capsule SDK', 'settings', 'database engine', 'embedder'])
      expect(of(name)).toMatchObject({ status: 'ok' });
    expect(of('provider')).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('offline'),
    });
    expect(of('terminal')).toMatchObject({ status: 'warn' });
  });

  it('prints one line for each check, with a fix below each problem', async () => {
    const io = ioOf({
      environment: { ...person.environment, OLLAMA_BASE_URL: closed, PATH: '' },
      cwd: person.project,
    });
    expect(await command.run({ positionals: [], options: {} }, io)).toBe(0);
    expect(io.out()).toMatch(/^ok {4}Node +\d+\.\d+\.\d+$/m);
    expect(io.out()).toMatch(/^warn {2}bwrap +not found\n +→ Install bubblewrap/m);
    expect(io.out()).toContain('Nothing required is missing.');
  });

  it.runIf(hasBubblewrap)("proposes the folders of programs that commands can't see", async () => {
    const own = join(person.environment['HOME'] ?? '', 'tools');
    for (const path of [
      '.pyenv/shims/python',
      '.pyenv/plugins/venv/bin/x',
      '.nvm/v20/bin/npm',
      'empty/x.txt',
    ]) {
      mkdirSync(dirname(join(own, path)), { recursive: true });
      writeFileSync(join(own, path), '#!/bin/sh\n', {
        mode: path.endsWith('.txt') ? 0o600 : 0o700,
      });
    }
    const PATH = ['.pyenv/plugins/venv/bin', '.pyenv/shims', '.nvm/v20/bin', 'empty', 'missing']
      .map((name) => join(own, name))
      .concat('/usr/bin', '/bin')
      .join(':');
    const { of } = await examine({ PATH });
    expect(of('own programs')).toMatchObject({
      status: 'warn',
      fix: `If commands need it, set CAPSTAN_SANDBOX_READ=${own}/.pyenv:${own}/.nvm/v20`,
    });
    const CAPSTAN_SANDBOX_READ = `${own}/.pyenv:${own}/.nvm/v20`;
    expect((await examine({ PATH, CAPSTAN_SANDBOX_READ })).of('own programs')).toBeUndefined();
  });

  it('fails with the invalid values if settings are invalid', async () => {
    const { exitCode, of } = await examine({ CAPSTAN_CONCURRENCY: 'many' });
    expect(exitCode).toBe(1);
    expect(of('settings')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('"many"'),
    });
    expect(of('database engine')).toMatchObject({ status: 'ok' });
  });

  it('checks the settings of another folder', async () => {
    const path = person.writeProject('shop/capstan.yaml', 'concurrency: 2\n');
    const io = ioOf({
      environment: { ...person.environment, OLLAMA_BASE_URL: closed },
      cwd: person.project,
    });
    const options = { json: true, workspace: dirname(path) };
    await command.run({ positionals: [], options }, io);
    expect(io.out()).toContain('capstan.yaml');
  });

  it('reads an existing database', async () => {
    openDatabase(join(person.home, 'state/capstan.db')).close();
    expect((await examine()).of('database')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining(`(schema ${schemaAfter()})`),
    });
  });

  it.each([
    ['is not database', (path: string) => writeFileSync(path, 'x'.repeat(4_096))],
    [
      'is of a newer Capstan',
      (path: string) => {
        const db = openDatabase(path);
        db.pragma('user_version = 9999');
        db.close();
      },
    ],
    [
      'belongs to another program',
      (path: string) => {
        const db = new Database(path);
        db.exec('CREATE TABLE theirs (x)');
        db.pragma(`user_version = ${schemaAfter()}`);
        db.close();
      },
    ],
  ])('fails on a database that %s', async (_what, make) => {
    mkdirSync(join(person.home, 'state'), { recursive: true });
    make(join(person.home, 'state/capstan.db'));
    const { exitCode, of } = await examine();
    expect(exitCode).toBe(1);
    expect(of('database')).toMatchObject({ status: 'fail', fix: expect.any(String) });
  });

  it('fails if a folder is not usable', async () => {
    writeFileSync(join(person.home, 'state'), '');
    const { exitCode, of } = await examine();
    expect(exitCode).toBe(1);
    expect(of('state folder')).toMatchObject({ status: 'fail' });
  });

  it('says which keys are set, without showing them', async () => {
    const { of, text } = await examine({ ANTHROPIC_API_KEY: 'sk-ant-0123456789-WXYZ' });
    expect(of('anthropic key')).toMatchObject({ found: 'set (********WXYZ)' });
    expect(of('openai key')).toMatchObject({ found: 'not set' });
    expect(of('provider')).toMatchObject({
      status: 'ok',
      found: 'anthropic, since ANTHROPIC_API_KEY is set',
    });
    expect(text).not.toContain('0123456789');
  });

  it('lists the models of an Ollama that answers', async () => {
    const server = createServer((_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end('{"version":"0.9.0","models":[{"name":"small:1b"}]}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { of } = await examine({ OLLAMA_BASE_URL: `127.0.0.1:${port}` });
    server.close();
    expect(of('Ollama')).toMatchObject({ status: 'ok', found: 'answers: small:1b' });
    expect(of('provider')).toMatchObject({
      status: 'ok',
      found: `ollama, since Ollama answers at http://127.0.0.1:${port}`,
    });
  });

  it('fails if Ollama is the provider and does not answer', async () => {
    const { exitCode, of } = await examine({ CAPSTAN_PROVIDER: 'ollama' });
    expect(exitCode).toBe(1);
    expect(of('Ollama')).toMatchObject({ status: 'fail' });
  });

  it('asks no Ollama on another machine', async () => {
    const { of } = await examine({ OLLAMA_BASE_URL: 'http://ollama.invalid:1' });
    expect(of('Ollama')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('not asked'),
    });
  });

  it('fails if all-MiniLM-L6-v2 is not in the configured folder', async () => {
    const { exitCode, of } = await examine({
      CAPSTAN_EMBEDDER: 'minilm',
      CAPSTAN_MODEL_DIR: 'none',
    });
    expect(exitCode).toBe(1);
    expect(of('embedder')).toMatchObject({ status: 'fail' });
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['provider', { CAPSTAN_PROVIDER: 'openai' }, 'needs OPENAI_API_KEY'],
    ['provider', { CAPSTAN_PROVIDER: 'anthropic' }, 'needs ANTHROPIC_API_KEY'],
    [
      'provider',
      { CAPSTAN_PROVIDER: 'openai', CAPSTAN_BASE_URL: `${closed}/v1` },
      "openai can't be used",
    ],
    ['provider', { CAPSTAN_BASE_URL: `${closed}/v1` }, `The connection to ${closed} failed`],
    ['embedder', { CAPSTAN_EMBEDDER: 'minilm' }, 'is not downloaded yet'],
  ])('fails if a run could not open the %s (%j)', async (name, environment, found) => {
    const { exitCode, of } = await examine(environment);
    expect(exitCode).toBe(1);
    expect(of(name)).toMatchObject({ status: 'fail', found: expect.stringContaining(found) });
  });

  it.each([
    ['rules', 'policy.yaml', 'rules: 7\n'],
    ['services', 'services.yaml', 'services: 7\n'],
    ['hooks', 'hooks.yaml', 'hooks: 7\n'],
    ['prices', 'prices.yaml', 'prices: 7\n'],
  ])('fails if the %s are invalid', async (name, file, text) => {
    expect((await examine()).of(name)).toMatchObject({ status: 'ok' });
    person.writeOwn(file, text);
    const { exitCode, of } = await examine();
    expect(exitCode).toBe(1);
    expect(of(name)).toMatchObject({ status: 'fail', found: expect.stringContaining(file) });
  });

  it.each([
    ['command: [/no/such/guard]', "/no/such/guard can't be executed"],
    ['command: [/bin/sh, /no/such/guard.sh]', 'there is no file /no/such/guard.sh'],
    ['module: /no/such/guard.mjs', 'there is no file /no/such/guard.mjs'],
  ])('fails if a hook names a program or a script that is missing: %s', async (run, found) => {
    person.writeOwn('hooks.yaml', `hooks: [{ id: guard, on: [pre_tool_call], ${run} }]\n`);
    const { exitCode, of } = await examine();
    expect(exitCode).toBe(1);
    expect(of('hooks')).toMatchObject({ status: 'fail', found: expect.stringContaining(found) });
  });

  it('names the line of an invalid item of a list', async () => {
    person.writeOwn('hooks.yaml', 'hooks: [{ id: guard, on: [before], module: /x.mjs }]\n');
    expect((await examine()).of('hooks')?.found).toContain('hooks[0] on[0]: ');
  });

  it('says which capsule a run leaves out, and why', async () => {
    const { writeOwn } = ownCapsulesOf(person);
    writeOwn('clerk', { grants: { tools: { telepathy: {} } } });
    const { exitCode, text } = await examine();
    expect(exitCode).toBe(0);
    expect(text).toMatch(/there is no tool \\"telepathy\\".*left out/);
  });

  it.each([
    ['18.20.0', 'fail'],
    ['20.19.9', 'fail'],
    ['20.20.0', 'ok'],
    ['22.1.0', 'ok'],
  ])('accepts Node %s as %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  it('runs no program from a relative entry of PATH', async () => {
    const trap = join(person.project, 'bwrap');
    writeFileSync(trap, `#!/bin/sh\ntouch ${person.home}/ran\necho 9\n`, { mode: 0o755 });
    const { of } = await examine({ PATH: '.:' });
    expect(of('bwrap')).toMatchObject({ status: 'warn', found: 'not found' });
  });
});
