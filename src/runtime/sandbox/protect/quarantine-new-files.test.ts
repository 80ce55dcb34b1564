import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProtected } from './find-protected.ts';
import { quarantineNewFiles } from './quarantine-new-files.ts';

const MEMORY = '/dev/shm';
const hasOtherFileSystem =
  process.platform === 'linux' &&
  existsSync(MEMORY) &&
  statSync(MEMORY).dev !== statSync(tmpdir()).dev;

let ground: string;
let workspace: string;
beforeEach(() => {
  begin(tmpdir());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  execFileSync('rm', ['-rf', ground]);
});

function begin(base: string): void {
  ground = realpathSync(mkdtempSync(join(base, 'capstan-planted-')));
  workspace = join(ground, 'workspace');
  mkdirSync(workspace);
  mkdirSync(join(ground, 'tmp'));
}

const put = (path: string, content = 'evil\n') => {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), content);
};
const isProtected = (path: string) =>
  path.endsWith('.pem') || path.split('/').some((name) => /^\.(vscode|capstan-taken-)/.test(name));
const take = (protects = isProtected) =>
  quarantineNewFiles({ before: [] }, { workspace, isProtected: protects });

describe.runIf(process.platform === 'linux')('a file that a process planted', () => {
  it('is moved under a neutral name, however long its own was', async () => {
    vi.stubEnv('TMPDIR', join(ground, 'tmp'));
    put(`a/${'x'.repeat(251)}.pem`);
    put('b/.vscode/tasks.json');
    const taken = await take();
    expect(taken).toMatchObject({ count: 2, problems: [] });
    expect(readdirSync(join(workspace, 'a')).concat(readdirSync(join(workspace, 'b')))).toEqual([]);
    const names = readdirSync(taken?.folders[0] ?? '').map((name) => name.slice(2));
    expect(names.sort()).toEqual(['.vscode', 'x'.repeat(50)]);
  });

  it.runIf(hasOtherFileSystem)(
    'is moved completely if the temporary folder is on another file system',
    async () => {
      const temporary = join(ground, 'tmp');
      try {
        begin(MEMORY);
        vi.stubEnv('TMPDIR', temporary);
        put('.vscode/tasks.json');
        put('.vscode/long', '');
        truncateSync(join(workspace, '.vscode/long'), 20 * 1024 * 1024);
        execFileSync('mkfifo', [join(workspace, '.vscode/pipe')]);
        const taken = await take();
        expect(taken).toMatchObject({ count: 1, problems: [] });
        const [folder = ''] = taken?.folders ?? [];
        expect(dirname(folder)).toBe(workspace);
        expect(readdirSync(workspace)).toEqual([folder.slice(workspace.length + 1)]);
        expect(readdirSync(join(folder, '1-.vscode')).sort()).toEqual([
          'long',
          'pipe',
          'tasks.json',
        ]);
        expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
        expect(readFileSync(join(folder, '1-.vscode/tasks.json'), 'utf8')).toBe('evil\n');
        expect(readdirSync(temporary)).toEqual([]);
      } finally {
        rmSync(dirname(temporary), { recursive: true, force: true });
      }
    },
  );

  it('is searched for in the whole workspace, however long that takes, and others get their turn', async () => {
    for (const name of 'abcdefgh') for (const file of 'xyz') put(`${name}/${name}/${file}`);
    for (const name of 'abcdefgh') put(`${name}/.vscode/tasks.json`);
    vi.useFakeTimers({ toFake: ['performance'] });
    let turns = 0;
    let looks = 0;
    const taken = take((path) => {
      looks += 1;
      vi.advanceTimersByTime(1_000);
      return isProtected(path);
    });
    const turn = () => {
      turns += 1;
      if (turns < 10_000) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await taken).toMatchObject({ count: 8, problems: [] });
    // A folder is not looked through at one go.
    expect(turns).toBeGreaterThan(looks / 3);
    turns = 10_000;
  });

  it('is taken away in any number, and the first are named', async () => {
    for (let i = 0; i < 1_100; i += 1) put(`many/${i}.pem`);
    put('many/sub/.vscode/tasks.json');
    const taken = await take();
    expect(taken).toMatchObject({ count: 1_101, problems: [] });
    expect(taken?.paths).toHaveLength(20);
    expect(readdirSync(join(workspace, 'many'), { recursive: true })).toEqual(['sub']);
  });

  it("is reported if it can't be moved, and the others are moved", async () => {
    mkdirSync(Buffer.from(`${workspace}/\xff.pem`, 'latin1'));
    put('.vscode/tasks.json');
    const taken = await take();
    expect(taken?.paths).toEqual([join(workspace, '.vscode')]);
    expect(taken?.problems.join()).toContain('.pem');
  });

  it('is distinguished from a file that existed before and was only moved with its folder', async () => {
    put('packages/a/.vscode/settings.json', 'own\n');
    put('packages/a/own.pem', 'own\n');
    const before = await findProtected({ workspace, isProtected, access: 'write' });
    renameSync(join(workspace, 'packages/a'), join(workspace, 'packages/b'));
    put('packages/b/sub/.vscode/tasks.json');
    put('packages/a/own.pem');
    const taken = await quarantineNewFiles({ before }, { workspace, isProtected });
    expect(taken?.paths).toEqual([join(workspace, 'packages/b/sub/.vscode')]);
    expect(readFileSync(join(workspace, 'packages/b/.vscode/settings.json'), 'utf8')).toBe('own\n');
    expect(readFileSync(join(workspace, 'packages/b/own.pem'), 'utf8')).toBe('own\n');
  });

  it('is distinguished from a file that the person created after the process had ended', async () => {
    put('a/.vscode/tasks.json');
    const ended = { before: [], endedMs: Date.now() + 1 };
    while (Date.now() < ended.endedMs + 50) await new Promise((go) => setTimeout(go, 10));
    put('b/.vscode/settings.json', 'own\n');
    const taken = await quarantineNewFiles(ended, { workspace, isProtected });
    expect(taken?.paths).toEqual([join(workspace, 'a/.vscode')]);
    expect(existsSync(join(workspace, 'b/.vscode/settings.json'))).toBe(true);
  });

  it.runIf(process.geteuid?.() === 0 && existsSync(MEMORY))(
    'is not looked for in closed folders of others',
    async () => {
      execFileSync('rm', ['-rf', ground]);
      begin(MEMORY);
      put('closed/file');
      for (const folder of [ground, workspace]) chmodSync(folder, 0o755);
      chmodSync(join(workspace, 'closed'), 0o700);
      process.seteuid?.(65_534);
      try {
        expect(await take()).toBeUndefined();
      } finally {
        process.seteuid?.(0);
      }
    },
  );
});
