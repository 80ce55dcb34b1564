import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProtected } from './find-protected.ts';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'capstan-known-'));
  mkdirSync(join(workspace, 'a/b'), { recursive: true });
  writeFileSync(join(workspace, 'a/b/secret'), '');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(workspace, { recursive: true, force: true });
});

const isProtected = (path: string) => path.endsWith('/secret');
const find = async () => {
  const found = await findProtected({ workspace, access: 'write', isProtected });
  return found.map(({ path, how }) => `${path.slice(workspace.length + 1)} ${how}`);
};
/** Folders are remembered once they were unchanged for a while: the clock advances, theirs only by a tick. */
async function settle(): Promise<void> {
  await sleep(30);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
}

describe('remembered folders', () => {
  it('match the current ones', async () => {
    await settle();
    expect(await find()).toEqual(['a/b/secret hidden file']);
    expect(await find()).toEqual(['a/b/secret hidden file']);
  });

  it.each([
    ['a new file', () => writeFileSync(join(workspace, 'a/secret'), ''), 'a/secret hidden file'],
    ['a new folder', () => mkdirSync(join(workspace, 'a/secret')), 'a/secret hidden folder'],
    ['a link', () => symlinkSync('x', join(workspace, 'a/secret')), 'a/secret link'],
    [
      'a change whose time was set back',
      () => {
        const { atime, mtime } = statSync(join(workspace, 'a'));
        writeFileSync(join(workspace, 'a/secret'), '');
        utimesSync(join(workspace, 'a'), atime, mtime);
      },
      'a/secret hidden file',
    ],
  ])('is forgotten with %s', async (_, change, found) => {
    await settle();
    await find();
    change();
    expect(await find()).toEqual(['a/b/secret hidden file', found]);
  });
});
