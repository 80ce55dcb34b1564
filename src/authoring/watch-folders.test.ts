import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchFolders } from './watch-folders.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-watch-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('counts several writes as one save', async () => {
  const nextSave = watchFolders([dir]);
  const { signal } = new AbortController();
  const saved = nextSave(signal);
  for (const text of ['', 'Be', 'Be quiet.']) {
    writeFileSync(join(dir, 'skill.md'), text);
    await pause(10);
  }
  expect(await saved).toEqual(['skill.md']);
  expect(await nextSave(AbortSignal.timeout(300))).toBeUndefined();
});

it('names new, changed and deleted files, each relative to its folder', async () => {
  mkdirSync(join(dir, 'one/cases'), { recursive: true });
  for (const path of ['one/old.md', 'one/a b.md', 'one/same.md'])
    writeFileSync(join(dir, path), '');
  const nextSave = watchFolders([join(dir, 'one'), join(dir, 'two')]);
  rmSync(join(dir, 'one/old.md'));
  writeFileSync(join(dir, 'one/a b.md'), 'x');
  writeFileSync(join(dir, 'one/cases/new.yaml'), 'x');
  const saved = await nextSave(AbortSignal.timeout(5_000));
  expect(saved?.toSorted()).toEqual(['a b.md', 'cases/new.yaml', 'old.md']);
});

it('does not count what a running program writes, also just before its end, as a save', async () => {
  writeFileSync(join(dir, 'state.json'), '0');
  const nextSave = watchFolders([dir], (path) => path.endsWith('.md'));
  let isRunning = true;
  const saved = nextSave(AbortSignal.timeout(5_000), () => isRunning);
  for (const text of ['1', '12', '123']) {
    writeFileSync(join(dir, 'state.json'), text);
    await pause(70);
  }
  writeFileSync(join(dir, 'new'), 'x');
  isRunning = false;
  await pause(150);
  writeFileSync(join(dir, 'state.json'), 'saved by its author');
  expect(await saved).toEqual(['state.json']);
  const next = nextSave(AbortSignal.timeout(5_000), () => true);
  writeFileSync(join(dir, 'state.json'), 'x');
  writeFileSync(join(dir, 'skill.md'), 'x');
  expect(await next).toEqual(['skill.md']);
});

it('ignores files that editors create beside a file', async () => {
  const nextSave = watchFolders([dir]);
  for (const name of ['.skill.md.swp', 'skill.md~', '#skill.md#', '4913'])
    writeFileSync(join(dir, name), 'x');
  symlinkSync('me@host.12:34', join(dir, '.#skill.md'));
  expect(await nextSave(AbortSignal.timeout(300))).toBeUndefined();
});
