import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Check, check, readCsv } from '../../bench/tasks/check.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'task-checks-'));
  for (const folder of ['inputs', 'workspace']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'inputs/a.txt'), 'x');
  const files = {
    'a.txt': 'x',
    'b.json': '[{"n":1.004,"t":"a"},null,true]',
    'c.csv': 'name, total\r\n"a, ""b""",2.50\r\n',
  };
  for (const [path, content] of Object.entries(files)) {
    writeFileSync(join(root, 'workspace', path), content);
  }
  const database = new Database(join(root, 'workspace/d.db'));
  database.exec('CREATE TABLE t (x REAL); INSERT INTO t VALUES (1.5)');
  database.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const header = ['name', 'total'];
const json = (value: unknown): Check => ({
  kind: 'json_file',
  path: 'b.json',
  value,
  tolerance: 0.005,
});

describe('the checks of the tasks bench', () => {
  it.each<[string, Check, boolean]>([
    ['numbers within the tolerance', json([{ n: 1, t: 'a' }, null, true]), true],
    ['a number beyond it', json([{ n: 1.1, t: 'a' }, null, true]), false],
    ['a key too few', json([{ n: 1 }, null, true]), false],
    ['a key too many', json([{ n: 1, t: 'a', u: 0 }, null, true]), false],
    ['true is no 1', json([{ n: 1, t: 'a' }, null, 1]), false],
    ['another order', json([null, { n: 1, t: 'a' }, true]), false],
    ['a missing file', { kind: 'json_file', path: 'none.json', value: 1 }, false],
    ['a file that is no JSON', { kind: 'json_file', path: 'a.txt', value: 'x' }, false],
    ['a table', { kind: 'csv_file', path: 'c.csv', header, rows: [['a, "b"', 2.5]] }, true],
    [
      'another header',
      { kind: 'csv_file', path: 'c.csv', header: ['name'], rows: [['a, "b"', 2.5]] },
      false,
    ],
    ['a row too many', { kind: 'csv_file', path: 'c.csv', header, rows: [] }, false],
    ['another number', { kind: 'csv_file', path: 'c.csv', header, rows: [['a, "b"', 2]] }, false],
    [
      'rows of a database',
      { kind: 'sqlite', path: 'd.db', sql: 'SELECT x FROM t', value: [[1.5]] },
      true,
    ],
    ['other rows', { kind: 'sqlite', path: 'd.db', sql: 'SELECT x FROM t', value: [] }, false],
    ['text that is there', { kind: 'text_contains', path: 'c.csv', all: ['2.50'] }, true],
    ['text that is not', { kind: 'text_contains', path: 'c.csv', all: ['2.50', '3'] }, false],
    ['what exists', { kind: 'exists', path: 'a.txt' }, true],
    ['what should be absent', { kind: 'absent', path: 'a.txt' }, false],
    ['an input as it was', { kind: 'unchanged', path: 'a.txt' }, true],
    [
      'a failure that names its cause',
      { kind: 'reported_failure', must_not_exist: 'z', answer_mentions: ['why'] },
      true,
    ],
    [
      'a failure that names another',
      { kind: 'reported_failure', must_not_exist: 'z', answer_mentions: ['how'] },
      false,
    ],
    [
      'a failure that left a result',
      { kind: 'reported_failure', must_not_exist: 'a.txt', answer_mentions: ['why'] },
      false,
    ],
    [
      'one of several',
      {
        kind: 'all',
        checks: [
          { kind: 'exists', path: 'a.txt' },
          { kind: 'exists', path: 'z' },
        ],
      },
      false,
    ],
  ])('judge %s', (_what, expected, isRight) => {
    const left = {
      workspace: join(root, 'workspace'),
      inputs: join(root, 'inputs'),
      answer: 'this is why',
    };
    expect(check(expected, left).every((verdict) => verdict.isRight)).toBe(isRight);
  });

  it.each<[string, string[][]]>([
    ['', []],
    ['a,b\n', [['a', 'b']]],
    [
      'a,\n,b',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['"x\ny",z\r\n', [['x\ny', 'z']]],
  ])('read the CSV %j', (text, rows) => {
    expect(readCsv(text)).toEqual(rows);
  });
});
