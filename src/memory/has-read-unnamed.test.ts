import { describe, expect, test } from 'vitest';
import { hasReadUnnamed } from './has-read-unnamed.ts';

const read = (task: string, name: string, target: string, tier = 0) =>
  hasReadUnnamed(task, [{ kind: 'tool', name, target, tier, status: 'done' }]);

describe('a run has read content that its user did not name', () => {
  test.each([
    ['a page', 'Read https://example.com/a', 'web_fetch', 'https://example.com/a'],
    ['an answer of a service', 'Ask it', 'http_api.GET', 'https://example.com/a'],
    ['what a command may have read', 'Run `ls`', 'terminal.read', 'ls'],
    ['a file that is not named', 'Read notes.txt', 'file_io.read', 'other.txt'],
    ['a name inside of another', 'Read mynotes.txt.', 'file_io.read', 'notes.txt'],
    ['a folder without a name', 'Look for it. Now.', 'file_io.search', '.'],
    ['one of several tables', 'Join a.csv', 'sql_query.read', 'a.csv, b.csv: SELECT 1'],
  ])('%s', (_what, task, name, target) => {
    expect(read(task, name, target)).toBe(true);
  });

  test.each([
    ['a named file', 'Read docs/notes.txt.', 'file_io.read', 'docs/notes.txt'],
    ['a named table', 'Sum (a.csv)', 'sql_query.read', 'a.csv: SELECT sum(x) FROM a'],
    [
      'a named table whose result is saved',
      'Sum a.csv',
      'sql_query.save',
      'out.csv from a.csv: SELECT 1',
    ],
    ['names only', 'Tidy up', 'file_io.list', 'docs'],
    ['an answer of the person', 'Tidy up', 'ask_person', 'Which?'],
  ])('not: %s', (_what, task, name, target) => {
    expect(read(task, name, target)).toBe(false);
  });

  test('not: files that it only writes, or a denied read', () => {
    expect(read('Tidy up', 'file_io.write', 'other.txt', 1)).toBe(false);
    const denied = {
      kind: 'tool',
      name: 'web_fetch',
      target: 'a',
      tier: 0,
      status: 'denied',
    } as const;
    expect(hasReadUnnamed('Tidy up', [denied])).toBe(false);
    const plan = { kind: 'chat', name: 'plan', target: 'gpt', tier: 3, status: 'done' } as const;
    expect(hasReadUnnamed('Tidy up', [plan])).toBe(false);
  });
});
