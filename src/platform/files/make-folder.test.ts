import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedWith } from '../../contract/errors.ts';
import { makeFolder } from './make-folder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function problemWith(path: string): string {
  try {
    makeFolder(path);
    return 'none';
  } catch (error) {
    if (!failedWith(error, 'PLACE_UNUSABLE')) throw error;
    return error.details.problem;
  }
}

it('creates missing parents, for their owner only', () => {
  makeFolder(join(dir, 'a/b/c'));
  makeFolder(join(dir, 'a/b/c'));
  for (const name of ['a', 'a/b', 'a/b/c'])
    expect(statSync(join(dir, name)).mode & 0o777).toBe(0o700);
});

it('names a file that is in the way', () => {
  const file = join(dir, 'state');
  writeFileSync(file, '');
  expect(problemWith(file)).toBe(`${file} is not a folder`);
  expect(problemWith(join(file, 'deeper/still'))).toBe(`${file} is not a folder`);
});

it('does not follow a dangling link', () => {
  const link = join(dir, 'link');
  symlinkSync(join(dir, 'nowhere'), link);
  expect(problemWith(link)).toBe(`${link} is not a folder`);
});

it.skipIf(!existsSync('/proc/self'))('gives up if a file system takes no folder', () => {
  expect(problemWith('/proc/capstan/state')).toMatch(/\/proc\/capstan/);
});

it.skipIf(process.getuid?.() === 0)('says that a folder may not be written', () => {
  expect(problemWith('/capstan-test')).toBe('you have no permission to write to /capstan-test');
});
