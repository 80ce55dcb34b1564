import { expect, it } from 'vitest';
import { applyTextDiff, textDiff } from './text-diff.ts';

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');

const frame = (text: string) => `${numbered('same', 9)}${text}${numbered('end', 9)}last`;

it('shows texts that take too long to compare as one replacement between their first and last change', () => {
  const before = frame(numbered('a', 9_000));
  const after = frame(numbered('b', 9_000));
  const { diff, problem } = textDiff('x.txt', Buffer.from(before), Buffer.from(after));
  expect(problem).toBeNull();
  expect(diff?.split('\n').slice(4, 10)).toEqual([
    '@@ -6,9008 +6,9008 @@',
    ...[5, 6, 7, 8].map((at) => ` same ${at}`),
    '-a 0',
  ]);
  expect(applyTextDiff(before, diff ?? '')).toBe(after);
});

it('shows a text without a final line break that is replaced by a longer one', () => {
  const before = `${numbered('a', 9_000)}end`;
  const after = numbered('b', 12_000);
  const { diff } = textDiff('x.txt', Buffer.from(before), Buffer.from(after));
  expect(diff).toContain('\n-end\n\\ No newline at end of file\n+b 0\n');
  expect(applyTextDiff(before, diff ?? '')).toBe(after);
});
