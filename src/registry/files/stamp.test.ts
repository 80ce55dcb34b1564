import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stampOf } from './stamp.ts';

let dir: string;
const stamp = () => stampOf([dir, join(dir, 'later/agents')]);
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-stamp-'));
  mkdirSync(join(dir, 'clerk/logs'), { recursive: true });
  writeFileSync(join(dir, 'clerk/skill.md'), 'one');
  writeFileSync(join(dir, 'clerk/memory.db'), 'one');
  // The clock of a file system is coarse: a second change within a tick has the same time.
  await new Promise((resolve) => setTimeout(resolve, 150));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each<[string, () => void]>([
  ['a file changes', () => writeFileSync(join(dir, 'clerk/skill.md'), 'two!')],
  [
    'a file is replaced',
    () => renameSync(join(dir, 'clerk/memory.db'), join(dir, 'clerk/skill.md')),
  ],
  ['a file appears', () => writeFileSync(join(dir, 'clerk/manifest.json'), '{}')],
  ['a file goes', () => rmSync(join(dir, 'clerk/skill.md'))],
  ['a folder goes', () => rmSync(join(dir, 'clerk'), { recursive: true })],
  [
    'a folder that was missing appears',
    () => {
      mkdirSync(join(dir, 'later/agents/new'), { recursive: true });
      writeFileSync(join(dir, 'later/agents/new/skill.md'), 'new');
    },
  ],
  [
    'a file changes and its time is set back',
    () => {
      writeFileSync(join(dir, 'clerk/skill.md'), 'two');
      utimesSync(join(dir, 'clerk/skill.md'), 0, 0);
    },
  ],
])('changes when %s', (_what, change) => {
  const before = stamp();
  expect(stamp()).toBe(before);
  change();
  const after = stamp();
  expect(after).not.toBe(before);
  expect(stamp()).toBe(after);
});

it('notices each of many changes in a row', () => {
  const stamps = new Set([stamp()]);
  for (let at = 0; at < 20; at++) {
    writeFileSync(join(dir, `clerk/${at}.md`), '');
    stamps.add(stamp());
  }
  expect(stamps.size).toBe(21);
});

it('stays when only logs and memory change', () => {
  const before = stamp();
  writeFileSync(join(dir, 'clerk/logs/1.log'), 'stderr');
  writeFileSync(join(dir, 'clerk/memory.db'), 'two!');
  writeFileSync(join(dir, 'clerk/memory.db-wal'), 'two!');
  expect(stamp()).toBe(before);
});
