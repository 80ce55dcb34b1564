import { describe, expect, it } from 'vitest';
import { archivePathProblem, clashingPath } from './capsule-archive.ts';

describe('a path in an archive', () => {
  it.each(['manifest.json', 'lib/a b/c-1.py', 'данные/é.md', 'a+b (1).txt', 'sub/logs/x', 'a..b'])(
    'may be %s',
    (path) => {
      expect(archivePathProblem(path)).toBeUndefined();
    },
  );

  it.each([
    '../x',
    'a/../../x',
    '..',
    '.',
    './x',
    '/etc/passwd',
    '//host/x',
    'a//b',
    'a/',
    '',
    'a\\..\\b',
    'C:/x',
    'file.txt:stream',
    '.git/hooks/pre-commit',
    'lib/.env',
    'a\0b',
    'a\nb',
    'a\u202Eb',
    'e\u0301.md',
    'a*b',
    'nul',
    'lib/CON.txt',
    'x.',
    'x ',
    ' x',
    'memory.db',
    'Memory.DB-wal',
    'logs/1.log',
    'LOGS',
    `${'a/'.repeat(9)}b`,
    'a'.repeat(201),
  ])('may not be %j', (path) => {
    expect(archivePathProblem(path)).toEqual(expect.any(String));
  });

  it.each([
    [['a', 'b/c', 'b/d'], undefined],
    [['a', 'A'], 'A'],
    [['skill.md', 'ſkill.md'], 'ſkill.md'],
    [['lib/x', 'LIB/X'], 'LIB/X'],
    [['a', 'a/b'], 'a/b'],
    [['a/b/c', 'a'], 'a'],
  ])("of %j, %s can't be in the same archive as the others", (paths, clash) => {
    expect(clashingPath(paths)).toBe(clash);
  });
});
