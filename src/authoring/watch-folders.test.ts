import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  expect(await saved).toBe(true);
  expect(await nextSave(AbortSignal.timeout(300))).toBe(false);
});

it('ignores files that editors create beside a file', async () => {
  const nextSave = watchFolders([dir]);
  for (const name of ['.skill.md.swp', 'skill.md~', '#skill.md#', '4913'])
    writeFileSync(join(dir, name), 'x');
  symlinkSync('me@host.12:34', join(dir, '.#skill.md'));
  expect(await nextSave(AbortSignal.timeout(300))).toBe(false);
});
