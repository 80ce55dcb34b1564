import { expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

it('content that looks like a header of a diff is content', () => {
  const diff =
    '--- a\n+++ a\n@@ -1,2 +1,2 @@\n--- x\n+@@ -9 +9 @@\n @@ -9 +9 @@\n\\ No newline\n@@ -9 +9 @@\n-a\n+b\n';
  expect(unifiedDiff(diff)).toEqual([
    { sign: '-', before: 1, text: '-- x' },
    { sign: '+', after: 1, text: '@@ -9 +9 @@' },
    { sign: ' ', before: 2, after: 2, text: '@@ -9 +9 @@' },
    { sign: 'other', text: '\\ No newline' },
    { sign: 'gap', text: '' },
    { sign: '-', before: 9, text: 'a' },
    { sign: '+', after: 9, text: 'b' },
  ]);
});

it('a note in a cut hunk is not a line of the file', () => {
  expect(unifiedDiff('@@ -1,3 +1,3 @@\n a\n… and 9 more lines')).toEqual([
    { sign: ' ', before: 1, after: 1, text: 'a' },
    { sign: 'other', text: '… and 9 more lines' },
  ]);
});
