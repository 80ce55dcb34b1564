import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROFILE_COMMAND } from '../../src/runtime/sandbox/find/isolation-fix.ts';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { builtCommandLine } from '../programs/built-command-line.ts';

const root = join(import.meta.dirname, '../..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)];

/** Lines of fenced blocks that a person would type. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, body = '']) =>
    body
      .split('\n')
      .map((line) =>
        line
          .trim()
          .replace(/^\$ /, '')
          .replace(/\s+#\s.*$/, '')
          // This repository is built already.
          .replace(/^npm ci && npm run build && node bin\/capstan\.js/, 'capstan'),
      )
      .filter((line) => /^(?:capstan [a-z]|npm |npx |node |\(cd |\.ci\/)/.test(line)),
  );
}

const commands = [...new Set(pages.flatMap(commandsOf))];

/** Commands that are not run, and why. */
const notRun: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(?:npm|npx|\(cd|\.ci)/, 'installs, builds or tests this repository: CI does it'],
  [
    /\b(?:[0-9a-f]{8}|4f3a|5c1f4f3a|last)\b/,
    'names a run, question or answer that only its reader has',
  ],
  [/^capstan resume(?: --quiet)?$/, 'continues a run that only its reader has'],
  [
    /bug\.json|bad\.json|run-9c41d07e\.json|mine|\.\/agents\/|minutes|head\.txt|intents\.jsonl|edited\.yaml|bad\.yaml/,
    'names a file or capsule that only its reader has',
  ],
  [/^capstan run --(?:budget-usd|continue)/, 'needs a language model'],
  [
    /^capstan capsules (?:create|compare|dev|rewrite-entrypoints)/,
    'asks a person, needs a model, watches files, or changes the installation',
  ],
  [/^capstan setup/, 'asks a person, or needs the key of a vendor'],
  [/^capstan models (?:check|list --provider)/, 'needs the key of a vendor'],
  [/^capstan capsules memory (?:edit|forget)/, 'names an item that only its reader has'],
  [/^capstan doctor --isolation/, 'tried by the tests of isolation'],
  [
    /^capstan (?:policy test|policy backtest|config trust)/,
    'needs a rules file or settings of a project',
  ],
  [
    /^capstan (?:serve|dispatch)/,
    'runs until it is stopped, or needs a server: tried by its tests',
  ],
  [/^capstan doctor breakers reset/, 'needs a provider that failed'],
  [/"…"/, 'stands for any task'],
];

/** Exit codes other than 0 that the page is about. */
const exitCodes: readonly (readonly [pattern: RegExp, code: number])[] = [
  [/Run `rm keep\.txt`/, 3],
  [/replace "staging" with "production"/, 3],
];

const reasonOf = (line: string) => notRun.find(([pattern]) => pattern.test(line))?.[1];

let folder: string;
let workspace: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-docs-'));
  workspace = join(folder, 'workspace');
  mkdirSync(join(folder, 'bin'));
  const script = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/capstan.js')}" "$@"\n`;
  writeFileSync(join(folder, 'bin/capstan'), script);
  chmodSync(join(folder, 'bin/capstan'), 0o755);
  mkdirSync(join(folder, 'shop'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files: Readonly<Record<string, string>> = {
  'notes.txt': 'one\ntwo\n',
  'notes.md': 'The boat is blue. It sails at noon. It carries wood to the harbour.\n',
  'keep.txt': 'keep\n',
  'payments.txt': 'invoice 11 paid\n',
  'settings.yaml': 'stage: staging\n',
  'README.md': 'It runs. It stops. It waits. It asks. It ends. It goes on.\n',
  'docs/a.md': '# A\n',
  'docs/link.txt': 'x\n',
  'src/a.py': '# TODO: tidy\n',
  '.github/capstan.policy.yaml': 'rules: []\n',
  'orders.csv': 'id,country,amount\n1,DE,10\n2,FR,20\n3,DE,30\n4,DE,5\n',
};

/** Every command starts from the same files. */
function fillWorkspace(): void {
  rmSync(workspace, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(workspace, path, '..'), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  cpSync(join(root, 'examples'), join(workspace, 'examples'), { recursive: true });
  cpSync(join(root, 'examples/access.log'), join(workspace, 'access.log'));
  cpSync(join(root, 'agents/sql-analyst/cases/shop.db'), join(workspace, 'shop.db'));
}

const environment = () => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: folder,
  CAPSTAN_HOME: join(folder, 'home'),
});

const bash = (script: string) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    const options = { cwd: workspace, env: environment(), timeout: 60_000 };
    const child = execFile('bash', ['-c', script], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });

/** A line that is only one command runs inside this process, by the words that bash reads in it. */
async function run(line: string): Promise<{ code: unknown; output: string }> {
  if (/[|<>;&$`]/.test(line)) return bash(line);
  const { output: words } = await bash(`capstan() { printf '%s\\0' "$@"; }; ${line}`);
  const surroundings = { cwd: workspace, environment: environment() };
  const ended = await builtCommandLine(words.split('\0').slice(0, -1), surroundings);
  return { code: ended.exitCode, output: `${ended.stdout}${ended.stderr}` };
}

it('the AppArmor profile of the page about CI is the one that doctor prints', () => {
  const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
  const lines = page.split('\n').filter((line) => /apparmor/.test(line) && /sudo/.test(line));
  expect(lines.join(' && ')).toBe(PROFILE_COMMAND);
});

describe('every command that README and the pages show', () => {
  it('is found', () => {
    expect(commands.length).toBeGreaterThan(80);
    expect(commands.filter((line) => reasonOf(line) === undefined).length).toBeGreaterThan(25);
  });

  it.runIf(hasBubblewrap).each(commands.filter((line) => reasonOf(line) === undefined))(
    'does what it says: %s',
    { timeout: 70_000 },
    async (line) => {
      fillWorkspace();
      const { code, output } = await run(line);
      const [, expected = 0] = exitCodes.find(([pattern]) => pattern.test(line)) ?? [];
      expect(code, output).toBe(expected);
    },
  );

  it.each(notRun)('%s has no unnecessary line in the list', (pattern) => {
    expect(commands.some((line) => pattern.test(line))).toBe(true);
  });
});
