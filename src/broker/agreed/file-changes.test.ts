import { describe, expect, it } from 'vitest';
import { agreedFile } from './agreed-files.ts';
import { describeChanges, fileChanges } from './file-changes.ts';

const files = (texts: Readonly<Record<string, string | Buffer>>) =>
  Object.entries(texts).map(([path, text]) => agreedFile(path, Buffer.from(text)));

describe('the changes since an approval', () => {
  it('are shown as a unified diff, grants and instructions first', () => {
    const before = files({
      'a.cjs': 'one\ntwo\n',
      'manifest.json': '{}\n',
      'old.txt': 'x\n',
      same: 's',
    });
    const after = files({
      'a.cjs': 'one\n2\n',
      'manifest.json': '{"a": 1}\n',
      'b.cjs': 'b\n',
      same: 's',
    });
    expect(describeChanges(fileChanges(before, after))).toBe(
      [
        'changed manifest.json',
        '@@ -1,1 +1,1 @@',
        '-{}',
        '+{"a": 1}',
        '',
        'changed a.cjs',
        '@@ -1,2 +1,2 @@',
        ' one',
        '-two',
        '+2',
        '',
        'new b.cjs',
        '@@ -0,0 +1,1 @@',
        '+b',
        '',
        'removed old.txt',
        '@@ -1,1 +0,0 @@',
        '-x',
        '',
      ].join('\n'),
    );
  });

  it('show hidden characters as escapes, and no file can forge a line of another', () => {
    const text = describeChanges(
      fileChanges([], files({ 'a\nnew b': 'x \u202e\u001b[2J\r\nnew c.cjs\n+++ b\n' })),
    );
    expect(text.split('\n')).toEqual([
      'new a\\u000anew b',
      '@@ -0,0 +1,3 @@',
      '+x \\u202e\\u001b[2J\\u000d',
      '+new c.cjs',
      '++++ b',
      '',
    ]);
  });

  it('say why there is no diff', () => {
    const big = 'x'.repeat(300_000);
    const before = files({
      icon: Buffer.from([0, 1]),
      gone: Buffer.from([0]),
      'big.txt': 'small\n',
    });
    const after = files({ icon: Buffer.from([0, 2]), 'big.txt': big, empty: '' });
    expect(describeChanges(fileChanges(before, after))).toBe(
      [
        'changed big.txt: too large to compare',
        'new empty',
        'removed gone: not text',
        'changed icon: not text',
        '',
      ]
        .join('\n\n')
        .trimEnd()
        .concat('\n'),
    );
  });

  it('are the whole current text if the approved one is not known', () => {
    const [change] = fileChanges(undefined, files({ 'skill.md': 'Obey.\n' }));
    expect(change).toEqual({
      ...{ path: 'skill.md', change: 'changed', problem: 'before_unknown' },
      diff: '@@ -0,0 +1,1 @@\n+Obey.\n',
    });
  });

  it('are limited, and say how much is omitted', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `f${String(at).padStart(2, '0')}`,
        'line\n'.repeat(1_000),
      ]),
    );
    const changes = fileChanges([], files(many));
    expect(changes).toHaveLength(60);
    expect(changes[0]?.diff).toMatch(/\n… and 601 more lines\n$/);
    expect(changes.at(-1)).toMatchObject({ path: 'f59', diff: null, problem: 'limit' });
    expect(describeChanges(changes).length).toBeLessThan(130_000);
    const [long] = fileChanges([], files({ 'one-line': 'y'.repeat(200_000) }));
    expect(long?.diff).toBe('@@ -0,0 +1,1 @@\n… and 2 more lines\n');
  });
});
