import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSecret } from './find-secret.ts';

const SECRET = 'sk-"canary"-Zk3vQ9rT7xW1yB5nD8mF2hJ6';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-secret-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it.each([
  ['raw', `a ${SECRET} b`],
  ['escaped as in JSON', JSON.stringify({ [SECRET]: 1 })],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 at offset 1', Buffer.from(`x${SECRET}`).toString('base64')],
  ['in base64 at offset 2', Buffer.from(`xy${SECRET}`).toString('base64')],
  ['only its beginning', `a ${SECRET.slice(0, 20)}`],
  ['only its end', `${SECRET.slice(-20)} b`],
])('a secret is found %s', (_form, text) => {
  writeFileSync(join(dir, 'file'), text);
  expect(findSecret(dir, [SECRET])).not.toEqual([]);
});

it('a secret is found in the name of a file, and nothing elsewhere', () => {
  writeFileSync(join(dir, 'harmless'), 'nothing');
  expect(findSecret(dir, [SECRET])).toEqual([]);
  writeFileSync(join(dir, SECRET), '');
  expect(findSecret(dir, [SECRET])).not.toEqual([]);
});
