import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processPlace, startTick } from '../process-mark.ts';
import { makeTemporaryFolder, removeAbandonedFolders } from './temporary-folder.ts';

let root: string;
let within: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capstan-left-'));
  within = join(root, 'temporary');
  mkdirSync(within);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const gone = spawnSync('true').pid;
const put = (name: string): string => {
  const folder = join(within, name);
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b/file'), 'x');
  return folder;
};
const nameOf = (purpose: string, pid: number, tick = '1', place = processPlace()) =>
  `capstan-${purpose}-${place}-${pid}-${tick}-Xy12ab`;

it('makes a folder that only its owner may enter, in the name of this process', () => {
  const folder = makeTemporaryFolder('call', within);
  expect(basename(folder)).toMatch(
    new RegExp(`^capstan-call-[-0-9a-f]+-${process.pid}-[-0-9]+-[A-Za-z0-9]{6}$`),
  );
});

describe.runIf(process.platform === 'linux')('a folder of an earlier process', () => {
  it('is removed if the process is gone, or another one has its id', async () => {
    put(nameOf('call', gone));
    put(nameOf('net', process.pid, '7'));
    await removeAbandonedFolders([within]);
    expect(readdirSync(within)).toEqual([]);
  });

  it('stays if the process lives, this one and another', async () => {
    const other = spawn('sleep', ['60']);
    try {
      makeTemporaryFolder('call', within);
      put(nameOf('net', other.pid ?? 0, startTick(other.pid ?? 0)));
      const before = readdirSync(within);
      await removeAbandonedFolders([within, join(root, 'is not there')]);
      expect(readdirSync(within)).toEqual(before);
    } finally {
      other.kill();
    }
  });

  it.each([
    ['of a process that nothing is known of', nameOf('call', gone, '-', '-')],
    ['of another program', 'other-call-1-2-3-Xy12ab'],
    ['named nearly like one', `${nameOf('call', gone)}.d`],
    ['of a version that did not say whose it is', 'capstan-call-Xy12ab'],
  ])('stays if it is %s', async (_what, name) => {
    put(name);
    await removeAbandonedFolders([within]);
    expect(readdirSync(within)).toEqual([name]);
  });

  it('is removed without following any link, from its own name to the last file', async () => {
    const outside = join(root, 'outside');
    mkdirSync(join(outside, 'kept'), { recursive: true });
    writeFileSync(join(outside, 'kept/file'), 'x');
    symlinkSync(outside, join(within, nameOf('net', gone)));
    const folder = put(nameOf('call', gone));
    symlinkSync(outside, join(folder, 'a/door'));
    symlinkSync(join(outside, 'kept/file'), join(folder, 'a/b/link'));
    await removeAbandonedFolders([within]);
    expect(readdirSync(within)).toEqual([nameOf('net', gone)]);
    expect(existsSync(join(outside, 'kept/file'))).toBe(true);
  });

  it.each([
    ['was taken out of a workspace', nameOf('taken', gone)],
    [
      'is of another boot, machine or namespace of process ids',
      nameOf('call', gone, '1', '0123456789'),
    ],
  ])('stays for a week if it %s', async (_what, name) => {
    const folder = put(name);
    await removeAbandonedFolders([within]);
    expect(existsSync(join(folder, 'a/b/file'))).toBe(true);
    const earlier = Date.now() / 1_000 - 8 * 24 * 3_600;
    utimesSync(folder, earlier, earlier);
    await removeAbandonedFolders([within]);
    expect(existsSync(folder)).toBe(false);
  });
});
