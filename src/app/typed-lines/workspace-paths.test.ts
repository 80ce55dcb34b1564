import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workspacePaths } from './workspace-paths.ts';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-paths-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

it('lists the nearest paths first, and folders with a slash', async () => {
  for (const path of ['a/b/deep.txt', 'a/near.txt', 'z.txt']) write(path);
  expect(await workspacePaths(workspace)).toEqual([
    'a/',
    'z.txt',
    'a/b/',
    'a/near.txt',
    'a/b/deep.txt',
  ]);
});

it('leaves out what ignore files exclude, .git and node_modules', async () => {
  write('.gitignore', 'dist/\n*.log\n');
  write('src/.gitignore', '/made.ts\n!kept.log\n');
  for (const path of ['dist/a.js', 'src/made.ts', 'src/kept.log', 'src/b/x.log', 'src/b/made.ts'])
    write(path);
  for (const path of ['.git/config', 'node_modules/a/b.js', 'src/node_modules/c.js']) write(path);
  expect(await workspacePaths(workspace)).toEqual([
    '.gitignore',
    'src/',
    'src/.gitignore',
    'src/b/',
    'src/kept.log',
    'src/b/made.ts',
  ]);
});

it('ends at links to a folder above and leaves out invisible characters', async () => {
  write('a/b.txt');
  write('a/c\u200b.txt');
  symlinkSync('..', join(workspace, 'a/up'));
  symlinkSync('/etc', join(workspace, 'outside'));
  expect(await workspacePaths(workspace)).toEqual(['a/', 'outside', 'a/b.txt', 'a/up/']);
});
