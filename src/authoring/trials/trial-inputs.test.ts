import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedWith } from '../../contract/errors.ts';
import { copyInputs } from './trial-inputs.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capstan-inputs-'));
  mkdirSync(join(root, 'from/node_modules/x'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string) => writeFileSync(join(root, 'from', path), 'x');

it('does not copy protected files, generated folders and links', async () => {
  for (const path of ['a.txt', '.env', 'node_modules/x/y.js']) write(path);
  symlinkSync('/etc/passwd', join(root, 'from/link.txt'));
  const isProtected = (path: string) => path.endsWith('.env');
  await copyInputs(join(root, 'to'), { folder: join(root, 'from'), isProtected });
  expect(readdirSync(join(root, 'to'), { recursive: true })).toEqual(['a.txt']);
});

it('refuses a folder that is too large, with advice', async () => {
  for (let file = 0; file <= 5_000; file++) write(`${file}.txt`);
  const copied = copyInputs(join(root, 'to'), {
    folder: join(root, 'from'),
    isProtected: () => false,
  });
  await expect(copied).rejects.toSatisfy((error) => failedWith(error, 'USAGE'));
  await expect(copied).rejects.toThrow('Choose a smaller workspace');
});
