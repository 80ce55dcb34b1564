import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import type { Stores } from '../create-stores.ts';
import { openStores } from '../open-stores.ts';
import { findRunToChange, findRunToRead } from './find-run.ts';

const [one, two] = [
  '0199a1b2-0000-7000-8000-00001234abcd',
  '0199ffff-0000-7000-8000-00005678abcd',
] as const;

let dir: string;
let stores: Stores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-find-'));
  stores = openStores(dir, { redactor: noSecrets });
  const insert = stores.db.prepare(
    `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at)
     VALUES (?, 's', 't', ?, 'offline', 'none', '{}', 'completed', '1:1', ?)`,
  );
  insert.run(one, '/one', '2026-01-01');
  insert.run(two, '/two', '2026-01-02');
});
afterEach(() => {
  stores.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a run', () => {
  const read = async (id: string) => (await findRunToRead(stores.runs, id, async () => '/one')).id;
  const change = (id: string) => findRunToChange(stores.runs, id).id;
  const failsWith = (code: string) => expect.objectContaining({ code });

  it('is found by a unique end of its id, or as the last one of the workspace, to be read', async () => {
    expect(await read(one)).toBe(one);
    expect(await read('1234ABCD')).toBe(one);
    expect(await read('4abcd')).toBe(one);
    expect(await read('last')).toBe(one);
  });

  it('is not the last one if it checks models or tries a capsule', async () => {
    const three = '0199ffff-0000-7000-8000-00009999abcd';
    stores.db
      .prepare(
        `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at, wish)
         VALUES (?, 's', 't', '/one', 'offline', 'none', '{}', 'completed', '1:1', '2026-01-03', '{"isCheck":true}')`,
      )
      .run(three);
    expect(await read('last')).toBe(one);
    expect(() => change('last')).toThrow(`The newest run is ${two} in /two.`);
    expect(await read(three)).toBe(three);
  });

  it.each([
    ['abcd', 'USAGE'],
    ['bcd', 'RUN_UNKNOWN'],
    ['0199a1b2', 'RUN_UNKNOWN'],
    ['%', 'RUN_UNKNOWN'],
  ])('is not found by %s to be read', async (id, code) => {
    await expect(read(id)).rejects.toEqual(failsWith(code));
  });

  it('is found by the last 8 characters of its id to be changed', () => {
    expect(change('1234abcd')).toBe(one);
    expect(change(`8000-00005678abcd`)).toBe(two);
    expect(change(two.toUpperCase())).toBe(two);
  });

  it.each([
    ['4abcd', 'USAGE'],
    ['last', 'USAGE'],
    ['0199a1b2', 'RUN_UNKNOWN'],
  ])('is not found by %s to be changed', (id, code) => {
    expect(() => change(id)).toThrow(failsWith(code));
  });

  it('is named if too few characters of its id were given to change it', () => {
    expect(() => change('4abcd')).toThrow(`Write the last 8 characters of the id: ${one}.`);
    expect(() => change('last')).toThrow(`The newest run is ${two} in /two.`);
  });

  it.each([
    ['0199A1B2-0000', one],
    ['12340000', undefined],
    ['5678', two],
  ])('is named if the start of its id was given: %s', async (id, meant) => {
    const words = meant ? `did you mean ${meant}?` : 'Name a run by the end of its id.';
    await expect(read(id)).rejects.toThrow(words);
  });
});
