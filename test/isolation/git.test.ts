import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isGitConfig } from '../../src/policy/protected/git-config.ts';
import {
  isClosedToProcesses,
  isProtectedPath,
} from '../../src/policy/protected/protected-paths.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import type { Tool, ToolContext } from '../../src/tools/define/tool.ts';
import { fileIo } from '../../src/tools/file-io.ts';
import { findRepository } from '../../src/tools/git/find-repository.ts';
import { isTracked } from '../../src/tools/git/is-tracked.ts';
import { readIdentity } from '../../src/tools/git/read-identity.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let root: string;
let scratch: Scratch;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-git-')));
  scratch = createScratch();
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  scratch[Symbol.dispose]();
});

const home = homedir();
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });
function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}
/** A repository with one commit, of files in its root and in `sub`. */
function repository(name: string): string {
  put(`${name}/README.md`, 'read me\n');
  put(`${name}/sub/notes.txt`, 'one\n');
  const folder = join(root, name);
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'the first commit');
  return folder;
}

async function ask<T>(tool: Tool, args: unknown, workspace: string, sandbox: Sandbox): Promise<T> {
  const facts = { ownDirs: [], home, workspace, openPaths: [] };
  const found = findRepository({ workspace, home });
  const isOurs = found !== undefined && (await isTracked(workspace, found, sandbox));
  const context: Partial<ToolContext> = {
    ...{ workspace, sandbox },
    isProtected: (path, access) => isProtectedPath(path, access, facts),
    isClosedToProcesses: (path, access) => isClosedToProcesses(path, access, facts),
    isGitConfig: (path) => isGitConfig(path, facts),
    gitPaths: isOurs ? found.paths : undefined,
    gitIdentity: (searchPath) => readIdentity({ HOME: root }, searchPath),
  };
  return scratch.ask<T>(tool, args, context);
}
const bash = (command: string, workspace: string, sandbox: Sandbox, access = 'read') =>
  ask<ProcessResult>(terminal, { command, access }, workspace, sandbox);

const levels: [string, () => Sandbox][] = [
  ...(hasBubblewrap ? [['A', levelA] as [string, () => Sandbox]] : []),
  ...(hasLandlock ? [['B', levelB] as [string, () => Sandbox]] : []),
];

describe.each(levels)('Git at level %s', (_, make) => {
  it("knows the person's name and address for commits, unless the repository has its own", async () => {
    put('.gitconfig', '[include]\n\tpath = who\n[alias]\n\tx = !echo an alias\n');
    put('who', '[user]\n\tname = Ada \\"Countess\\" L\n\temail = ada@example.org\n');
    const shop = repository('shop');
    const author = async () =>
      (await bash('git var GIT_AUTHOR_IDENT; git x', shop, make())).stdout.replace(/ \d.*\n/, '');
    expect(await author()).toBe('Ada "Countess" L <ada@example.org>');
    git(shop, 'config', 'user.name', 'Shop');
    expect(await author()).toBe('Shop <ada@example.org>');
  });

  it('works in a subfolder of a repository, whose other files stay closed', async () => {
    const workspace = join(repository('shop'), 'sub');
    const log = await bash('git log --oneline; git ls-files', workspace, make());
    expect(log.stdout).toMatch(/the first commit\nnotes\.txt\n$/);
    expect((await bash('cat ../README.md', workspace, make())).stdout).toBe('');
  });

  it('works in a linked worktree and in a folder of it', async () => {
    const shop = repository('shop');
    const workspace = join(root, 'fix');
    git(shop, 'worktree', 'add', '-q', workspace);
    for (const folder of [workspace, join(workspace, 'sub')]) {
      const { stdout, stderr } = await bash('git log --format=%s -1; git branch', folder, make());
      expect(stdout, stderr).toContain('the first commit\n* fix');
    }
    expect((await bash('git status --short', workspace, make())).stdout).toBe('');
  });

  it('works in a submodule', async () => {
    const part = repository('part');
    const shop = repository('shop');
    git(shop, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part, 'part');
    const { stdout } = await bash('git log --format=%s', join(shop, 'part'), make());
    expect(stdout).toBe('the first commit\n');
  });

  it('changes nothing of a repository outside the workspace', async () => {
    const shop = repository('shop');
    const before = readFileSync(join(shop, '.git/config'), 'utf8');
    const command =
      'echo two >> notes.txt; git add notes.txt; git config a.b c; echo x > ../.git/hooks/pre-commit; rm -rf ../.git';
    const { exit_code } = await bash(command, join(shop, 'sub'), make(), 'write');
    expect(exit_code).not.toBe(0);
    expect(readFileSync(join(shop, '.git/config'), 'utf8')).toBe(before);
    expect(git(shop, 'diff', '--cached', '--name-only')).toBe('');
    expect(git(shop, 'diff', '--name-only')).toBe('sub/notes.txt\n');
  });

  it('sees no repository that does not track the workspace', async () => {
    const shop = repository('shop');
    put('shop/untracked/x.txt', 'x');
    for (const workspace of [join(shop, 'untracked')])
      expect((await bash('git log', workspace, make())).stdout).toBe('');
  });

  it.each([
    ['a repository', '.git'],
    ['a worktree of it', '.git/worktrees/fix'],
  ])(
    'sees nothing of a private repository to which a file of the project leads: %s',
    async (_name, to) => {
      const secret = repository('private');
      git(secret, 'worktree', 'add', '-q', join(root, 'fix'));
      put('project/.git', `gitdir: ${join(secret, to)}\n`);
      put('project/sub/x.txt', 'x');
      for (const folder of ['project', 'project/sub'])
        expect((await bash('git log', join(root, folder), make())).stdout).toBe('');
    },
  );
});

it('a repository whose root is the home, above it or / is not open to commands', () => {
  const shop = repository('shop');
  const workspace = join(shop, 'sub');
  expect(findRepository({ workspace, home })).toMatchObject({ root: shop });
  expect(findRepository({ workspace, home: shop })).toBeUndefined();
  expect(findRepository({ workspace, home: join(shop, 'ada') })).toBeUndefined();
  const linked = join(root, 'elsewhere');
  git(shop, 'worktree', 'add', '-q', linked);
  expect(findRepository({ workspace: linked, home })).toMatchObject({ root: linked });
  expect(findRepository({ workspace: linked, home: shop })).toBeUndefined();
});

const token = 'S3CRET-T0KEN';
const secretConfig = `
[Http "https://github.com/"]
	ExtraHeader = AUTHORIZATION: basic ${token}
[remote "origin"]
	url = https://${token}@github.com/acme/shop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[url "https://ada:${token}@example.com/"]
	insteadOf = https://example.com/
[include]
	path = company
`;

describe.each(levels)('a credential in the configuration of Git at level %s', (level, make) => {
  const prepared = () => {
    const shop = repository('shop');
    writeFileSync(join(shop, '.git/config'), secretConfig, { flag: 'a' });
    put('shop/.git/company', `[http]\n\tproxy = http://u:${token}@proxy\n[a]\n\tb = c\n`);
    put('shop/.git/config.worktree', `[http] extraheader = ${token}\n`);
    put('shop/.git/credentials', `https://u:${token}@github.com\n`);
    put('shop/.git/modules/part/config', secretConfig);
    put('shop/.gitmodules', `[submodule "x"]\n\turl = https://${token}@github.com/x\n`);
    return shop;
  };
  const everything = 'cat .git/* .git/modules/*/config .gitmodules; git config -l; git remote -v';

  it.each(['read', 'write'])('is not seen by a command that may %s', async (access) => {
    const shop = prepared();
    const before = readFileSync(join(shop, '.git/config'), 'utf8');
    const { stdout, stderr } = await bash(everything, shop, make(), access);
    expect(stdout + stderr).not.toContain(token);
    if (level === 'A') expect(stdout).toContain('remote.origin.fetch=+refs');
    expect(readFileSync(join(shop, '.git/config'), 'utf8')).toBe(before);
  });

  it('is not seen in the repository around the workspace', async () => {
    const shop = prepared();
    const { stdout } = await bash('cd ..; cat .git/*; git config -l', join(shop, 'sub'), make());
    expect(stdout).toContain('ref: refs/heads/');
    expect(stdout).not.toContain(token);
  });

  it('is not lost by a command that writes', async () => {
    const shop = prepared();
    const command = 'echo x > .gitmodules; rm -f .gitmodules; git config a.b d; mv .git/company x';
    await bash(command, shop, make(), 'write');
    expect(readFileSync(join(shop, '.gitmodules'), 'utf8')).toContain(token);
    expect(readFileSync(join(shop, '.git/company'), 'utf8')).toContain(token);
    expect(readFileSync(join(shop, '.git/config'), 'utf8')).toContain(token);
  });

  it('is not seen by file_io, which writes no such file', async () => {
    const shop = prepared();
    const paths = ['.git/config', '.git/company', '.git/config.worktree', '.gitmodules'];
    for (const path of paths) {
      const args = { operation: 'read', path };
      const { content } = await ask<{ content: string }>(fileIo, args, shop, make());
      expect(content).not.toContain(token);
    }
    await ask(fileIo, { operation: 'copy', path: '.git/config', to: 'copy.txt' }, shop, make());
    expect(readFileSync(join(shop, 'copy.txt'), 'utf8')).not.toContain(token);
    const store = ask(fileIo, { operation: 'read', path: '.git/credentials' }, shop, make());
    await expect(store).rejects.toMatchObject({ code: 'PATH_PROTECTED' });
    const search = { operation: 'search', pattern: token, include_ignored: true };
    expect(await ask(fileIo, search, shop, make())).toMatchObject({ total: 0 });
    for (const more of [
      { operation: 'write', content: 'x' },
      { operation: 'append', content: 'x' },
      { operation: 'edit', old_text: 'submodule', new_text: 'x' },
      { operation: 'move', to: 'shown.txt' },
      { operation: 'delete' },
    ])
      await expect(
        ask(fileIo, { ...more, path: '.gitmodules' }, shop, make()),
      ).rejects.toMatchObject({ code: 'PATH_PROTECTED' });
  });
});

describe.each(levels)('files of Git in great number at level %s', (_, make) => {
  const many = (folder: string, count: number, content = 'x\n') => {
    for (let i = 0; i < count; i += 1) put(`shop/.git/${folder}/${i}`, content);
  };

  it.each(['read', 'write'])('do not prevent a command that may %s', async (access) => {
    const shop = repository('shop');
    many('lost-found/other', 1_100);
    many('kept-by-a-tool', 1_100);
    put('shop/.git/kept-by-a-tool/config', secretConfig);
    const command = 'cat .git/kept-by-a-tool/config; true';
    const result = await bash(command, shop, make(), access);
    expect(result.exit_code).toBe(0);
    expect(result.stdout).not.toContain(token);
  });

  it('prevent it if each of them contains a credential', async () => {
    const shop = repository('shop');
    many('kept-by-a-tool', 1_100, secretConfig);
    await expect(bash('true', shop, make())).rejects.toThrow(
      "it can't be isolated: the workspace contains more than 1000 protected files to hide",
    );
  });
});

describe.each(levels)(
  'a configuration of Git that is too long to examine at level %s',
  (_, make) => {
    const long = () => {
      const shop = repository('shop');
      writeFileSync(join(shop, '.git/config'), `${secretConfig}${'# x\n'.repeat(300_000)}`);
      return shop;
    };

    it('is not seen by a command', async () => {
      const { stdout } = await bash('grep -ai extraheader .git/config', long(), make());
      expect(stdout).toBe('');
    });

    it('is not read by file_io', async () => {
      const shop = long();
      const read = ask(fileIo, { operation: 'read', path: '.git/config' }, shop, make());
      await expect(read).rejects.toThrow(/can't be examined for credentials.*1 MiB/);
    });
  },
);

it.skipIf(!hasBubblewrap)('says why Git takes a protected file for changed', async () => {
  const workspace = repository('env');
  writeFileSync(join(workspace, '.env'), 'KEY=1\n');
  git(workspace, 'add', '-f', '.env');
  git(workspace, 'commit', '-qm', 'with settings');
  const status = await bash('git status --short', workspace, levelA());
  expect(status).toMatchObject({
    stdout: ' M .env\n',
    hint: expect.stringMatching(/content of "\.env"/),
  });
  const stash = await bash('git stash', workspace, levelA(), 'write');
  expect(stash.hint).toContain('git commit -m … -- PATHS');
  expect(await bash('git ls-files', workspace, levelA())).not.toHaveProperty('hint');
});
