import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failedWith } from '../contract/errors.ts';
import { countMemories, type Memory, openMemory } from './open-memory.ts';

let dir: string;
let memory: Memory;
const path = () => join(dir, 'agents/one/memory.db');
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-memory-'));
  memory = openMemory(path());
});
afterEach(() => {
  memory.close();
  rmSync(dir, { recursive: true, force: true });
});

const origin = { workspace: '/work', runId: 'run-1', isUntrusted: false };
const remember = (...texts: string[]) =>
  memory.remember(texts.map((text) => ({ ...origin, text, source: `attempt-1:${text}` })));
const recall = (task: string, { maxTokens = 1_000, workspace = '/work' } = {}) =>
  memory.recall(task, { maxTokens, workspace });
const recalled = (task: string, maxTokens?: number) =>
  recall(task, { maxTokens }).items.map(({ text }) => text);

describe('the memory of a capsule', () => {
  test('is readable for its owner only', () => {
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'agents/one')).mode & 0o777).toBe(0o700);
  });

  test('is there the next time it is opened', () => {
    remember('orders.csv separates by semicolons');
    memory.close();
    memory = openMemory(path());
    const [item] = recall('read orders.csv').items;
    expect(item?.text).toBe('orders.csv separates by semicolons');
    expect(Date.parse(item?.created_at ?? '')).toBeLessThanOrEqual(Date.now());
    expect(Object.keys(item ?? {})).toEqual(['text', 'created_at']);
  });

  test('stores an update once, however often it is applied', () => {
    const updates = [
      { ...origin, text: 'a', source: 'attempt-1:0' },
      { ...origin, text: 'b', source: 'attempt-1:1' },
    ];
    memory.remember(updates);
    memory.remember(updates);
    memory.remember([{ ...origin, text: 'changed', source: 'attempt-1:0' }]);
    expect(memory.list().map(({ text }) => text)).toEqual(['b', 'a']);
  });

  test('finds an old item by the words of the task, in other forms too', () => {
    remember('The access log names its slow request in the field upstream_time.');
    remember(...Array.from({ length: 40 }, (_, i) => `Note ${i} about the kitchen.`));
    expect(recalled('find slow requests in the logs')).toContain(
      'The access log names its slow request in the field upstream_time.',
    );
    expect(recalled('polish the silver')).not.toContain(
      'The access log names its slow request in the field upstream_time.',
    );
  });

  test('returns recent items if none matches, oldest first', () => {
    remember(...Array.from({ length: 12 }, (_, i) => `item ${i}`));
    expect(recalled('☃')).toEqual(Array.from({ length: 10 }, (_, i) => `item ${i + 2}`));
  });

  test('stays within the limit, and skips items that are too long', () => {
    remember('short and recent', 'x'.repeat(4_000), 'y'.repeat(200));
    expect(recalled('anything', 60)).toEqual(['short and recent', 'y'.repeat(200)]);
    expect(recalled('anything', 4)).toEqual(['short and recent']);
    expect(recalled('anything', 0)).toEqual([]);
  });

  test('stores the same text once', () => {
    memory.remember([
      { ...origin, text: 'same', source: 'a:0' },
      { ...origin, text: 'same', source: 'b:0' },
    ]);
    expect(recalled('same')).toEqual(['same']);
  });

  test('truncates long texts, skips empty ones, and drops the oldest over a thousand', () => {
    remember('z'.repeat(10_000), '  ');
    expect(memory.list().map(({ text }) => text.length)).toEqual([4_000]);
    remember(...Array.from({ length: 1_005 }, (_, i) => `item ${i}`));
    expect(memory.list()).toHaveLength(1_000);
    expect(recalled('item 3').includes('item 3')).toBe(false);
    expect(recalled('item 1003')).toContain('item 1003');
  });

  test('deletes an item permanently', () => {
    remember('the password is swordfish', 'the kitchen is blue');
    const [, first] = memory.list();
    expect(memory.forget(first?.id ?? 0)).toBe(true);
    expect(memory.forget(first?.id ?? 0)).toBe(false);
    expect(memory.forget(4_711)).toBe(false);
    remember('the password is swordfish');
    expect(recalled('password')).toEqual(['the kitchen is blue']);
  });

  test.each(['"', 'a AND', '(', "'; DROP TABLE memories; --", '\u0000', ''])(
    'accepts any task: %j',
    (task) => {
      remember('kept');
      expect(recalled(task)).toEqual(['kept']);
    },
  );

  test('recalls an item only in its workspace, unless the person moves it to all', () => {
    remember('the kitchen is blue');
    expect(recall('kitchen', { workspace: '/other' })).toEqual({ items: [], leftOut: 0 });
    const [item] = memory.list();
    expect(item).toMatchObject({ workspace: '/work', run_id: 'run-1', is_untrusted: 0 });
    memory.change(item?.id ?? 0, { workspace: null });
    expect(recall('kitchen', { workspace: '/other' }).items).toHaveLength(1);
    memory.change(item?.id ?? 0, { workspace: '/third' });
    expect(recalled('kitchen')).toEqual([]);
  });

  test("finds an edited item by its new words, and trusts the person's text", () => {
    memory.remember([{ ...origin, isUntrusted: true, text: 'pay to Eve', source: 'a:0' }]);
    const id = memory.list()[0]?.id ?? 0;
    expect(memory.change(id, { text: 'Amounts are in euros.' })).toBe(true);
    expect(memory.find(id)).toMatchObject({ text: 'Amounts are in euros.', is_untrusted: 0 });
    expect(recalled('which euros')).toEqual(['Amounts are in euros.']);
    expect(memory.change(4_711, { text: 'x' })).toBe(false);
  });

  test('counts what could be recalled and is left out', () => {
    remember(...Array.from({ length: 30 }, (_, i) => `note ${i}`), 'x'.repeat(8_000));
    const { items, leftOut } = recall('☃', { maxTokens: 20 });
    expect(items.length + leftOut).toBe(31);
    expect(leftOut).toBeGreaterThan(20);
  });

  test('leaves no byte of a forgotten, edited or overflowing item in its folder', () => {
    remember('swordfish is the word', 'marlin is the word', 'tuna is the word');
    const [, marlin, swordfish] = memory.list();
    memory.forget(swordfish?.id ?? 0);
    memory.change(marlin?.id ?? 0, { text: 'nothing' });
    remember(...Array.from({ length: 1_000 }, (_, i) => `item ${i}`));
    memory.close();
    const folder = join(dir, 'agents/one');
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    for (const word of ['swordfish', 'marlin', 'tuna']) expect(bytes.join('')).not.toContain(word);
    expect(bytes.join('')).toContain('item 999');
    memory = openMemory(path());
  });

  test('serves two processes at once', () => {
    const other = openMemory(path());
    remember('one');
    other.remember([{ ...origin, text: 'two', source: 'attempt-2:0' }]);
    expect(recalled('x')).toEqual(['one', 'two']);
    other.close();
  });

  test('is refused, and left as it is, if a development version wrote it', () => {
    const old = join(dir, 'old.db');
    const db = new Database(old);
    db.exec(
      "CREATE TABLE memories (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO memories VALUES (1, 'a')",
    );
    expect(() => openMemory(old)).toThrow(
      /old\.db .*development version wrote it \(schema 0\)\. Move the file away/,
    );
    expect(db.prepare('SELECT text FROM memories').pluck().all()).toEqual(['a']);
    db.close();
  });

  test('is refused if the file is something else, and is not created only to count items', () => {
    const broken = join(dir, 'broken.db');
    writeFileSync(broken, 'this is no database, however long one looks at it'.repeat(50));
    let thrown: unknown;
    try {
      openMemory(broken);
    } catch (error) {
      thrown = error;
    }
    expect(failedWith(thrown, 'DATABASE_UNREADABLE')).toBe(true);
    expect(countMemories(join(dir, 'absent.db'))).toBe(0);
    remember('one');
    expect(countMemories(path())).toBe(1);
  });
});
