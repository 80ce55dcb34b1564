import { expect, it } from 'vitest';
import { summarizeErrorOutput } from './check-capsule.ts';

const summary = (stderr: string) => summarizeErrorOutput(stderr, '/home/mine');

it.each([
  [
    'Python',
    'Traceback (most recent call last):\n  File "/capsule/main.py", line 9, in <module>\n  File "/capsule/lib/a.py", line 3, in f\n  File "/usr/lib/python3/x.py", line 7\nKeyError',
    '/home/mine/lib/a.py:3',
  ],
  [
    'Node',
    '/capsule/handlers.cjs:12\n    throw x\nError: x\n    at f (/capsule/handlers.cjs:12:5)\n    at g (/capsule/entrypoint.cjs:3:1)',
    '/home/mine/handlers.cjs:12',
  ],
  ['Node, where the folder is as it is', 'at f (/home/mine/a.cjs:4:5)', '/home/mine/a.cjs:4'],
  ['bash', 'main.sh: line 12: jq: command not found', '/home/mine/main.sh:12'],
  ['nobody', 'something broke', undefined],
  ['a liar', '/capsule/../../etc/passwd:3', undefined],
])('finds the line of the capsule that failed in the error output of %s', (_who, text, where) => {
  expect(summary(text).where).toBe(where);
});

it('recognizes what the sandbox refused', () => {
  expect(summary('main.sh: fork: Operation not permitted').isRefusal).toBe(true);
  expect(summary('KeyError: x').isRefusal).toBe(false);
});

it('keeps the last lines', () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
  expect(summary(text).text.split('\n')).toHaveLength(20);
  expect(summary(text).text).toContain('line 29');
});
