import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../test/setup/temporary-person.ts';
import { type AppError, failedWith } from '../contract/errors.ts';
import type { LoadOptions } from './load-settings.ts';
import { settingNames } from './setting-table.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

const trusting = { trustProject: true };

/** The lines of the failure to load, one a problem. */
async function problems(changes: Partial<LoadOptions> = {}): Promise<string[]> {
  const error = await person.load(changes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!failedWith(error, 'SETTINGS_INVALID')) throw error ?? new Error('the settings were taken');
  return (error as AppError<'SETTINGS_INVALID'>).details.issues.split('\n').map((it) => it.trim());
}

describe('one bad value of several settings', () => {
  it('is reported once', async () => {
    expect(await problems({ flags: { model: 'two words' } })).toHaveLength(1);
  });
});

describe('defaults', () => {
  it('are those of the contract, in milliseconds, micro-dollars and bytes', async () => {
    const { settings } = await person.load();
    expect(settings).toMatchObject({
      workspace: person.project,
      provider: undefined,
      embedder: 'static',
      gates: { create: 'auto', spend: 'auto', write: 'auto', execute: 'auto' },
      approveMode: 'ask',
      approvalDeadlineMs: undefined,
      budget: {
        runMicroUsd: 1_000_000,
        runMicroUsdSetByPerson: false,
        dayMicroUsd: 10_000_000,
        runTokens: undefined,
      },
      runTimeoutMs: undefined,
      capsuleTimeoutMs: 300_000,
      toolTimeoutMs: 60_000,
      modelTimeoutMs: 120_000,
      maxSubtasks: 20,
      maxAttempts: 2,
      maxIntents: 400,
      maxCapsules: 20,
      concurrency: 4,
      lineBytes: 4 * 1024 * 1024,
      breaker: { failures: 5, restMs: 30_000 },
      isolation: 'auto',
      hosts: [],
    });
  });

  it('have an origin each', async () => {
    const { origins } = await person.load();
    expect([...origins.keys()]).toEqual(settingNames);
    expect(origins.get('CAPSTAN_CONCURRENCY')).toEqual({
      layer: 'default',
      source: 'default',
      shown: '4',
    });
  });

  it('are loaded without writing anything', async () => {
    await person.load();
    expect(existsSync(join(person.home, 'state'))).toBe(false);
    expect(existsSync(join(person.home, 'config/trust.json'))).toBe(false);
  });
});

describe('layers', () => {
  const flags = { budgetUsd: '0.01' };
  const environment = { CAPSTAN_BUDGET_RUN_USD: '0.02' };
  const project = 'budget: { run_usd: 0.03 }\n';
  const envFile = 'CAPSTAN_BUDGET_RUN_USD=0.04\n';
  const own = 'budget:\n  run_usd: 0.05\n';

  it.each([
    ['a flag over all', 'flag', 10_000, { flags, environment, project, envFile, own }],
    ['the environment over files', 'environment', 20_000, { environment, project, envFile, own }],
    ["a trusted project's file over one's own", 'project', 30_000, { project, envFile, own }],
    ["one's .env over one's config.yaml", 'person', 40_000, { envFile, own }],
    ["one's config.yaml over the default", 'person', 50_000, { own }],
    ['the default last', 'default', 1_000_000, {}],
  ] as const)('put %s', async (_order, layer, runMicroUsd, given) => {
    const facts: { own?: string; envFile?: string; project?: string } & Partial<LoadOptions> =
      given;
    if (facts.own) person.writeOwn('config.yaml', facts.own);
    if (facts.envFile) person.writeOwn('.env', facts.envFile);
    if (facts.project) person.writeProject('capstan.yaml', facts.project);
    const { settings, origins } = await person.load({
      flags: { ...trusting, ...facts.flags },
      environment: facts.environment ?? {},
    });
    expect(origins.get('CAPSTAN_BUDGET_RUN_USD')?.layer).toBe(layer);
    expect(settings.budget.runMicroUsd).toBe(runMicroUsd);
    expect(settings.budget.runMicroUsdSetByPerson).toBe(!['project', 'default'].includes(layer));
  });

  it('name the file and the line of a value', async () => {
    const path = person.writeOwn('config.yaml', '# mine\nmodel:\n  fast: small\n');
    const { origins } = await person.load();
    expect(origins.get('CAPSTAN_MODEL_FAST')?.source).toBe(`${path}:3`);
  });

  it('treat an empty variable as not set', async () => {
    person.writeOwn('.env', 'CAPSTAN_CONCURRENCY=7\n');
    const { settings } = await person.load({ environment: { CAPSTAN_CONCURRENCY: '' } });
    expect(settings.concurrency).toBe(7);
  });

  it('use the model of --model for every hint', async () => {
    const { settings } = await person.load({ flags: { model: 'large-1' } });
    expect(settings.models).toEqual({ fast: 'large-1', balanced: 'large-1', best: 'large-1' });
  });

  it('ignore options that are not settings', async () => {
    await expect(
      person.load({ flags: { json: true, capsule: 'file-clerk' } }),
    ).resolves.toBeDefined();
  });

  it("read keys from one's .env, and other vendors' names for them", async () => {
    person.writeOwn(
      '.env',
      'OPENAI_API_KEY="sk-0123456789abcdef"\nexport GOOGLE_API_KEY=AIza0123456789abcdef\n',
    );
    const { settings } = await person.load({ environment: { OLLAMA_HOST: '0.0.0.0' } });
    expect(settings.keys.openai).toBe('sk-0123456789abcdef');
    expect(settings.keys.gemini).toBe('AIza0123456789abcdef');
    expect(settings.baseUrls.ollama).toBe('http://127.0.0.1:11434');
  });

  it("never read a project's .env, trusted or not", async () => {
    person.writeProject('.env', 'OPENAI_API_KEY=sk-of-the-project-000\n');
    const { settings, project } = await person.load({ flags: trusting });
    expect(settings.keys.openai).toBeUndefined();
    expect(project.files).toEqual([]);
  });
});

describe('a bad value', () => {
  it('is reported with all others at once, each with its name, value, source and fix', async () => {
    const yaml = person.writeOwn(
      'config.yaml',
      'breaker:\n  failures: many\nhosts: [a.com, "b c"]\n',
    );
    const env = person.writeOwn('.env', 'CAPSTAN_LINE_BYTES=12\n');
    expect(
      await problems({
        flags: { provider: 'openapi' },
        environment: {
          CAPSTAN_CONCURRENCY: '0',
          CAPSTAN_WRITE_GATE: 'never',
          HTTPS_PROXY: 'socks5://h',
        },
      }),
    ).toEqual([
      'provider = "openapi" (option): must be offline, openai, anthropic, gemini or ollama. Did you mean openai?',
      'CAPSTAN_WRITE_GATE = "never" (environment): must be auto, ask, allow or deny. Correct it, or leave it out (default: auto).',
      `hosts = "a.com, b c" (${yaml}:3): must be host names such as example.com, example.com:8080 or *.example.com, separated by commas; "b c" is not one. Correct it, or leave it out.`,
      'CAPSTAN_CONCURRENCY = "0" (environment): must be a whole number from 1 to 64. Correct it, or leave it out (default: 4).',
      `CAPSTAN_LINE_BYTES = "12" (${env}): must be a size from 1 KiB to 64 MiB: bytes, or a whole number with KiB, MiB or GiB. Correct it, or leave it out (default: 4 MiB).`,
      `breaker.failures = "many" (${yaml}:2): must be a whole number from 1 to 100. Correct it, or leave it out (default: 5).`,
      'HTTPS_PROXY = "socks5://h" (environment): must be an http:// or https:// address, or host:port. Correct it, or leave it out.',
    ]);
  });

  it('is reported even if a stronger layer overrides it', async () => {
    person.writeOwn('.env', 'CAPSTAN_CONCURRENCY=-1\n');
    expect(await problems({ environment: { CAPSTAN_CONCURRENCY: '3' } })).toHaveLength(1);
  });

  it('never shows a secret, nor the password of an address', async () => {
    const lines = await problems({
      environment: {
        OPENAI_API_KEY: 'sk-very secret-0123456789',
        ANTHROPIC_API_KEY: 'kürzer',
        OPENAI_BASE_URL: 'https://me:hunter2@models.example/v1',
      },
    });
    expect(lines).toHaveLength(3);
    expect(lines.join('\n')).not.toMatch(/secret|kürzer|hunter2/);
    expect(lines.join('\n')).toContain('OPENAI_API_KEY = "********6789" (environment)');
  });

  it.each([
    ['the environment', { environment: { OPENAI_API_KEY: 'sk-x\r\nX-Evil: 1' } }],
    ['the environment, in a list', { environment: { CAPSTAN_HOSTS: 'a.com,\nb.com' } }],
    ['a flag', { flags: { model: 'm\nCAPSTAN_WRITE_GATE=allow' } }],
  ])('with a line break inside is refused: %s', async (_where, changes) => {
    const lines = await problems(changes);
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).toContain('line break or another control character');
  });

  it('with a line break in .env or YAML is refused and sets nothing else', async () => {
    person.writeOwn('.env', 'CAPSTAN_MODEL_FAST="a\nCAPSTAN_WRITE_GATE=allow"\n');
    person.writeOwn('config.yaml', 'model:\n  best: "b\\ngate: {write: allow}"\n');
    const lines = await problems();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('\\u000aCAPSTAN_WRITE_GATE=allow');
  });

  it('may be valid alone but conflict with another', async () => {
    const lines = await problems({
      environment: { CAPSTAN_ROUTE_TAKE: '0.4', CAPSTAN_ROUTE_CREATE: '0.5' },
    });
    expect(lines[0]).toMatch(/CAPSTAN_ROUTE_CREATE = "0.5".*must not be above CAPSTAN_ROUTE_TAKE/);
  });

  it.each(['/', '~', '.', '..'])('opens no protected path below %s', async (path) => {
    const lines = await problems({ environment: { CAPSTAN_OPEN_PATHS: path } });
    expect(lines[0]).toContain('would open every protected path below it');
  });

  it("never exposes Capstan's folders or a whole home to a sandbox", async () => {
    const settings = person.writeOwn('config.yaml', '');
    for (const path of ['/', '~', dirname(settings), dirname(dirname(settings)), settings]) {
      const lines = await problems({ environment: { CAPSTAN_SANDBOX_READ: path } });
      expect(lines[0]).toContain("would show Capstan's own folders");
    }
  });

  it.each([
    ['libs', '"libs" is relative'],
    ['/nowhere/libs', '"/nowhere/libs" does not exist'],
  ])('is %s if sandboxed programs may read', async (path, problem) => {
    const lines = await problems({ environment: { CAPSTAN_SANDBOX_READ: path } });
    expect(lines[0]).toContain(problem);
  });

  it('is a workspace that is not a folder', async () => {
    const file = person.writeProject('notes.txt', '');
    for (const workspace of [file, './nowhere'])
      expect((await problems({ flags: { workspace } }))[0]).toMatch(
        /^workspace = .*no such folder/,
      );
  });
});

describe('an unknown name', () => {
  it('in YAML is an error with its line and a suggestion', async () => {
    const path = person.writeOwn(
      'config.yaml',
      'budget:\n  run_uds: 3\nconcurency: 2\nrun_sec: 9\n__proto__: {run_usd: 1}\nmodel: fast\nconcurrency: {x: 1}\n"budget.run_usd": 2\n',
    );
    expect(await problems()).toEqual([
      `budget.run_uds (${path}:2): unknown setting. Did you mean budget.run_usd?`,
      `concurency (${path}:3): unknown setting. Did you mean concurrency?`,
      `run_sec (${path}:4): unknown setting. Did you mean timeout.run_sec?`,
      `__proto__ (${path}:5): unknown setting. Remove it, or see docs/settings.md.`,
      `model (${path}:6): it is a group. Write its settings below it, such as model.fast.`,
      `concurrency (${path}:7): it must be one value.`,
      `budget.run_usd (${path}:8): unknown setting. Write the word before the dot as a group, and the other below it.`,
    ]);
  });

  it('in .env is an error if it is ours or similar to one of ours, else a notice', async () => {
    const path = person.writeOwn('.env', 'CAPSTAN_MAGIC=1\nOPENAI_APIKEY=sk-1\nEDITOR=vi\n');
    const lines = await problems();
    expect(lines).toEqual([
      `CAPSTAN_MAGIC (${path}): unknown setting. Remove it.`,
      `OPENAI_APIKEY (${path}): unknown setting. Did you mean OPENAI_API_KEY?`,
    ]);
  });

  it('in the environment is an error if it is similar to one of ours, else a notice', async () => {
    expect(await problems({ environment: { CAPSTAN_BUDGT_RUN_USD: '1' } })).toEqual([
      'CAPSTAN_BUDGT_RUN_USD (environment): unknown setting. Did you mean CAPSTAN_BUDGET_RUN_USD?',
    ]);
    const { notices } = await person.load({ environment: { CAPSTAN_SOMETHING_ELSE: '1' } });
    expect(notices).toContainEqual(expect.stringContaining('CAPSTAN_SOMETHING_ELSE'));
  });
});

describe('a settings file', () => {
  it.each([
    [
      'a bracket that is never closed',
      'model:\n  fast: a\nhosts: [a\n',
      /config\.yaml:\d+: this is not valid YAML/,
    ],
    ['a name that stands twice', 'concurrency: 1\nconcurrency: 2\n', /config\.yaml:2: .*unique/],
    ['an alias for nothing', 'log_level: *info\n', /config\.yaml: Unresolved alias .*: info/],
    ['a list at its top', '- a\n', /config\.yaml: it must contain names and values/],
    [
      'a map where one value belongs',
      'provider: {name: openai}\n',
      /config\.yaml:1\): it must be one value/,
    ],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), /config\.yaml: it is not UTF-8/],
    ['more than 256 KiB', `# ${'x'.repeat(300_000)}\n`, /config\.yaml: it is longer than/],
  ])('with %s is an error that names the file', async (_what, text, expected) => {
    writeFileSync(join(person.home, 'config/config.yaml'), text, { mode: 0o600 });
    expect((await problems()).join('\n')).toMatch(expected);
  });

  it.each(['config.yaml', '.env'])('that is a folder is an error: %s', async (name) => {
    mkdirSync(join(person.home, 'config', name));
    expect((await problems())[0]).toMatch(/this is not a file/);
  });

  it('that is a named pipe is an error, not a wait', async () => {
    execFileSync('mkfifo', [join(person.home, 'config/.env')]);
    expect((await problems())[0]).toMatch(/this is not a file/);
  });

  it('may be empty, or contain only comments and empty values', async () => {
    person.writeOwn('config.yaml', '# nothing yet\n');
    person.writeOwn('.env', '\n# OPENAI_API_KEY=\n');
    await expect(person.load()).resolves.toBeDefined();
    person.writeOwn('config.yaml', 'budget:\nconcurrency:\nmodel:\n  fast: ~\n');
    await expect(person.load()).resolves.toBeDefined();
  });

  it('may name a value once and use it twice', async () => {
    person.writeOwn('config.yaml', 'model: { fast: &m small-1, best: *m }\n');
    const { settings } = await person.load();
    expect(settings.models.best).toBe('small-1');
  });

  it("can set Capstan's home only from outside", async () => {
    person.writeOwn('.env', 'CAPSTAN_HOME=/elsewhere\n');
    expect((await problems())[0]).toMatch(/it says where this file is/);
  });

  it('reports each line of .env without a variable', async () => {
    const path = person.writeOwn('.env', '# keys\nOPENAI_API_KEY sk-1\n');
    const lines = await problems();
    expect(lines[0]).toContain(`${path}:2`);
    expect(lines[0]).not.toContain('sk-1');
  });

  it.each(['"unterminated', "'unterminated"])(
    'reports a quote in .env that is not closed: %s',
    async (value) => {
      const path = person.writeOwn('.env', `# keys\nOPENAI_API_KEY=${value}\n`);
      const lines = await problems();
      expect(lines[0]).toContain(`${path}:2`);
      expect(lines[0]).toContain('has no end');
      expect(lines[0]).not.toContain('unterminated');
    },
  );
});

describe('values', () => {
  it("are converted to the product's names and units", async () => {
    person.writeOwn(
      'config.yaml',
      'budget: {run_usd: 1.50}\ntimeout: {tool_sec: 0.5}\nline_bytes: 64 KiB\nhosts: [Example.com, "*.docs.rs"]\n' +
        'open_paths: [~/.npmrc, .env.test]\nprivate_origins: http://LOCALHOST:8080/\nmodel_dir: models\n',
    );
    const { settings } = await person.load({
      environment: { NO_PROXY: 'localhost, .corp', https_proxy: 'proxy:3128' },
    });
    expect(settings).toMatchObject({
      budget: { runMicroUsd: 1_500_000 },
      toolTimeoutMs: 500,
      lineBytes: 65_536,
      hosts: ['example.com', '*.docs.rs'],
      openPaths: [join(person.home, '../.npmrc'), join(person.project, '.env.test')],
      privateOrigins: ['http://localhost:8080'],
      modelDir: join(person.home, 'config/models'),
      network: { httpsProxy: 'http://proxy:3128', noProxy: ['localhost', '.corp'] },
    });
  });
});

describe('places', () => {
  it('are under CAPSTAN_HOME if it is set, also if it is relative', async () => {
    const { settings } = await person.load({ environment: { CAPSTAN_HOME: 'here' } });
    expect(settings.places).toEqual({
      configDir: join(person.project, 'here/config'),
      dataDir: join(person.project, 'here/data'),
      stateDir: join(person.project, 'here/state'),
      cacheDir: join(person.project, 'here/cache'),
    });
  });

  it('are otherwise the XDG folders, where a relative path counts as not set', async () => {
    const { settings } = await person.load({
      environment: {
        CAPSTAN_HOME: '',
        HOME: '/home/ada',
        XDG_STATE_HOME: '/var/ada',
        XDG_DATA_HOME: 'data',
      },
    });
    expect(settings.places).toEqual({
      configDir: '/home/ada/.config/capstan',
      dataDir: '/home/ada/.local/share/capstan',
      stateDir: '/var/ada/capstan',
      cacheDir: '/home/ada/.cache/capstan',
    });
  });

  it('are reported if others can enter or read them', async () => {
    const path = person.writeOwn('config.yaml', 'concurrency: 2\n');
    chmodSync(path, 0o644);
    chmodSync(join(person.home, 'config'), 0o755);
    const { notices } = await person.load();
    expect(notices).toContainEqual(
      expect.stringContaining(`${path} is open to other users (mode 644)`),
    );
    expect(notices).toContainEqual(
      expect.stringContaining(`chmod 700 '${join(person.home, 'config')}'`),
    );
  });
});

describe('notices', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'say that Capstan runs as root (skipped for other users)',
    async () => {
      expect((await person.load()).notices).toContainEqual(expect.stringContaining('as root'));
    },
  );

  it('say that the workspace is the whole machine', async () => {
    const { notices } = await person.load({ flags: { workspace: '/' } });
    expect(notices).toContainEqual(expect.stringMatching(/^The workspace is "\/", all of this/));
    expect((await person.load()).notices.join()).not.toContain('all of this machine');
  });

  it("say that a short secret can't be hidden, without showing it", async () => {
    const { notices } = await person.load({ environment: { OPENAI_API_KEY: 'EMPTY' } });
    expect(notices).toContainEqual(expect.stringMatching(/^OPENAI_API_KEY has less than 16/));
    expect(notices.join()).not.toContain('EMPTY');
  });

  it('say nothing about a short key that is sent only to a server on this machine', async () => {
    const of = async (environment: Record<string, string>) =>
      (await person.load({ environment: { OPENAI_API_KEY: 'EMPTY', ...environment } })).notices;
    const here = 'http://127.0.0.1:8000/v1';
    expect((await of({ CAPSTAN_BASE_URL: here })).join()).not.toContain('less than 16');
    expect((await of({ OPENAI_BASE_URL: here })).join()).not.toContain('less than 16');
    const elsewhere = { CAPSTAN_BASE_URL: here, CAPSTAN_PROVIDER: 'gemini' };
    expect((await of(elsewhere)).join()).toContain('less than 16');
  });

  it('are one line each', async () => {
    person.writeProject('agents/evil\u001b[2K\nname/manifest.json', '{}');
    const { notices } = await person.load({ environment: { 'CAPSTAN_\nX': '1' } });
    for (const notice of notices) expect(notice).not.toMatch(/\p{Cc}/u);
  });
});
