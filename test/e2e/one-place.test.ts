import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script } from '../model-server/script.ts';
import { plainManifest } from '../setup/temporary-capsules.ts';
import { asOnEveryMachine } from './capstan.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

const TOOL = `import * as z from 'zod';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool } from './define/tool.ts';

export const wordCount = defineTool({
  name: 'word_count',
  effects: 'local',
  operations: ['count'],
  remembers: 'path',
  forNewCapsules: { grant: { paths: ['**'] }, calledBy: ['words?'], chosenFor: [] },
  description: 'Counts the words of a text file of the workspace.',
  args: () => z.strictObject({ path: z.string() }),
  operation: ({ path }) => ({
    name: 'word_count.count',
    tier: 0,
    repeatability: 'pure',
    paths: [{ path, access: 'read' }],
    target: path,
  }),
  async perform({ path }, { workspace }) {
    return { result: { words: readFileSync(join(workspace, path), 'utf8').trim().split(/\\s+/).length } };
  },
});
`;

/** A provider with its own API, which ends every task. */
const PROVIDER = `import type { Provider } from '../provider.ts';

export const createProvider = (): Provider => ({
  name: 'echo',
  origin: 'https://echo.example.com',
  isModel: true,
  modelFor: () => 'echo-1',
  contextTokens: async () => undefined,
  listModels: async () => [],
  chat: async () => ({
    response: {
      text: '',
      tool_calls: [{ id: '1', name: 'final', args: { status: 'ok', result: 'echo, echo' } }],
      finish: 'tool_calls',
      model: 'echo-1',
    },
    usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 },
  }),
  close() {},
});
`;

let copy: string;
let server: ModelServer;

/** Adds a line before or after another in a file that CONTRIBUTING.md names. */
function addLine(file: string, line: string, { after }: { readonly after: string }): void {
  expect(guide, 'CONTRIBUTING.md names the file').toContain(file);
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  expect(text, `${file} has the line to add to`).toContain(after);
  writeFileSync(path, text.replace(after, `${after}${line}`));
}

/** Runs Node in the copy, and returns its output. */
async function run(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    cwd: copy,
    timeout: 110_000,
    env: { PATH: process.env['PATH'] ?? '', HOME: copy, ...env },
  });
  return stdout;
}

/** The command line of the copy, with its own state. */
const capstan = (args: readonly string[], env: Record<string, string> = {}) =>
  run([join(copy, 'bin/capstan.js'), ...asOnEveryMachine(args)], {
    CAPSTAN_HOME: join(copy, 'home'),
    CAPSTAN_WORKSPACE: join(copy, 'work'),
    ...env,
  });

const capstanJson = async (args: readonly string[], env: Record<string, string> = {}) =>
  JSON.parse(await capstan([...args, '--json'], env));

/** Runs a task with the capsule that may use the new tool. */
const runCounter = (provider: string, env: Record<string, string> = {}) =>
  capstanJson(
    [
      ...['run', '--provider', provider, '--capsule', 'counter', '--budget-usd', '1'],
      'Count the words of poem.txt',
    ],
    env,
  );

/** How the policy decides on a call of the new tool. */
const explain = (capsule: string, path: string) =>
  capstanJson([
    ...['policy', 'explain'],
    JSON.stringify({ capsule, tool: 'word_count', args: { path } }),
  ]);

/** Calls the new tool, and returns its reply. */
const script: Script = ({ messages }) => {
  const last = messages.at(-1);
  const result = last?.role === 'tool' ? String(last.content) : undefined;
  return {
    tool_calls: [
      result === undefined
        ? { name: 'word_count', args: { path: 'poem.txt' } }
        : { name: 'final', args: { status: 'ok', result: `It answered ${result}` } },
    ],
  };
};

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'capstan-one-place-'));
  for (const name of ['src', 'offline', 'agents', 'bin', 'scripts', 'docs', 'capsule-template'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json', 'LICENSE', '.env.example'])
    cpSync(join(root, name), join(copy, name));
  for (const name of ['node_modules', 'models']) symlinkSync(join(root, name), join(copy, name));
  server = await startModelServer({ vendor: 'openai', script });

  expect(guide).toContain('src/tools/<name>.ts');
  writeFileSync(join(copy, 'src/tools/word-count.ts'), TOOL);
  addLine('src/tools/toolbox.ts', "\nimport { wordCount } from './word-count.ts';", {
    after: "import { webFetch } from './web-fetch.ts';",
  });
  addLine('src/tools/toolbox.ts', 'wordCount, ', { after: '  [' });
  addLine(
    'src/contract/vendors.ts',
    `
  acme: {
    title: 'Acme',
    api: 'openai',
    address: '${server.baseUrl}',
    addressSetting: 'ACME_BASE_URL',
    keySetting: 'ACME_API_KEY',
    models: { fast: 'acme-s', balanced: 'acme-m', best: 'acme-l' },
  },
  echo: {
    title: 'Echo',
    api: 'echo',
    address: 'https://echo.example.com',
    addressSetting: 'ECHO_BASE_URL',
    models: { fast: 'echo-1', balanced: 'echo-1', best: 'echo-1' },
    isFree: true,
  },`,
    { after: 'export const vendors = {' },
  );
  expect(guide).toContain('src/llm/providers/<name>.ts');
  writeFileSync(join(copy, 'src/llm/providers/echo.ts'), PROVIDER);
  addLine(
    'src/config/table/limits.ts',
    `
  CAPSTAN_PATIENCE_SEC: setting({
    field: 'patienceMs',
    summary: 'How long it is patient.',
    kind: seconds({ min: 1, max: 60 }),
    fallback: '5',
    yaml: 'patience_sec',
    project: smaller,
  }),`,
    { after: 'export const timeSettings = {' },
  );
  await run(['--import', 'tsx', '--input-type=module', '-e', BUILD]);
  addCounter();
});

/** A capsule with a grant of the new tool, and a file to count. */
function addCounter(): void {
  const own = join(copy, 'home/data/agents/counter');
  mkdirSync(own, { recursive: true });
  mkdirSync(join(copy, 'work'));
  writeFileSync(join(copy, 'work/poem.txt'), 'Roses are red\n');
  const manifest = {
    ...plainManifest('counter'),
    grants: { tools: { word_count: { paths: ['**'] } }, services: [] },
    task_kinds: [{ name: 'work', mode: 'agentic', description: 'Counts words.', examples: [] }],
  };
  writeFileSync(join(own, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(own, 'entrypoint.cjs'), 'require(process.env.CAPSTAN_SDK).start();');
}

const BUILD = `
  const { buildCli, buildHandlers, buildSdk } = await import('./scripts/build.ts');
  await Promise.all([buildCli(), buildHandlers(), buildSdk()]);
`;

afterAll(async () => {
  await server.close();
  rmSync(copy, { recursive: true, force: true });
});

describe('the files that CONTRIBUTING.md names are sufficient', () => {
  it('for a tool and a vendor: a run asks the one, and uses the other', async () => {
    const document = await runCounter('acme', { ACME_API_KEY: 'key-of-acme' });
    expect(document.status).toBe('completed');
    expect(JSON.stringify(document)).toMatch(/words\W+3\b/);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-acme');
    expect(server.chats[0]?.tools.map(({ name }) => name)).toContain('word_count');
  });

  it('for a vendor with its own API: it is listed, and a run calls it', async () => {
    const document = await runCounter('echo');
    expect(document).toMatchObject({ status: 'completed', provider: 'echo', answer: 'echo, echo' });
    await expect(capstan(['run', '--provider', 'none', 'Hello'])).rejects.toThrow(/echo/);
  });

  it('for a tool: the policy decides on it, by grants, protected paths and rules', async () => {
    expect(await explain('counter', 'poem.txt')).toMatchObject({ decision: 'allow', tier: 0 });
    expect(await explain('counter', '.env')).toMatchObject({
      decision: 'deny',
      rule: 'protected_path',
    });
    expect(await explain('counter', '../poem.txt')).toMatchObject({ decision: 'deny' });
    expect(await explain('file-clerk', 'poem.txt')).toMatchObject({
      decision: 'deny',
      rule: 'tool_not_granted',
    });
    const rules = 'rules:\n  - { id: no-counting, answer: ask, when: { tool: word_count } }\n';
    mkdirSync(join(copy, 'home/config'), { recursive: true });
    writeFileSync(join(copy, 'home/config/policy.yaml'), rules);
    expect(await explain('counter', 'poem.txt')).toMatchObject({ decision: 'ask' });
    rmSync(join(copy, 'home/config/policy.yaml'));
  });

  it('for a tool: a capsule is created with it', async () => {
    const flags = ['--id', 'poet', '--provider', 'offline', '--anyway', '--yes'];
    await capstan(['capsules', 'create', 'Count the words of poems', ...flags]);
    expect(await explain('poet', 'poem.txt')).toMatchObject({ decision: 'allow' });
  });

  it('for a setting: it is listed with its value, and a wrong value is refused by its name', async () => {
    const listed = await capstan(['config', 'show', '--json'], { CAPSTAN_PATIENCE_SEC: '7' });
    expect(listed).toContain('CAPSTAN_PATIENCE_SEC');
    const wrong = capstan(['config', 'show'], { CAPSTAN_PATIENCE_SEC: 'long' });
    await expect(wrong).rejects.toThrow(/CAPSTAN_PATIENCE_SEC/);
  });

  it('and the generated pages describe all of them', async () => {
    const { scripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
    for (const [script = ''] of scripts.pages.matchAll(/scripts\/[\w/-]+\.ts/g)) {
      await run(['--import', 'tsx', script]);
    }
    const page = (name: string) => readFileSync(join(copy, name), 'utf8');
    expect(page('docs/tools.md')).toContain('### `word_count`');
    expect(page('docs/settings.md')).toMatch(/`CAPSTAN_PATIENCE_SEC`.*patient/);
    for (const name of ['docs/settings.md', '.env.example']) {
      expect(page(name)).toContain('ACME_API_KEY');
      expect(page(name)).toContain('ECHO_BASE_URL');
    }
  });

  it('and every type still fits', async () => {
    const project = {
      extends: './tsconfig.json',
      include: ['src'],
      exclude: ['src/web/ui', '**/*.test.ts', '**/*.test.tsx'],
    };
    writeFileSync(join(copy, 'tsconfig.sources.json'), JSON.stringify(project));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await run([tsc, '-p', 'tsconfig.sources.json', '--checkers', '1']);
  });
});
