import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inspectFile, stateAt } from './path-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("says why a file can't be read", async () => {
  symlinkSync('loop', join(folder, 'loop'));
  const path = join(folder, 'loop', 'a.txt');
  await expect(stateAt(path)).rejects.toMatchObject({
    message: expect.stringMatching(/^"a.txt" can't be read: ELOOP/),
    cause: { code: 'ELOOP' },
  });
  expect(await inspectFile(path)).toMatchObject({ state: 'unreadable' });
});

it('knows no file below another file', async () => {
  expect(await stateAt(join(import.meta.filename, 'a.txt'))).toBe('absent');
});
