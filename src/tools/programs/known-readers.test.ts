import { expect, it } from 'vitest';
import { isKnownReader } from './read-only-note.ts';

it.each([
  'grep x y 2>/dev/null',
  'find . -name x -not -path y',
  'sort -n a | head',
  'sed -n 1,5p a',
  'if [ -f a ]; then cat a; fi',
  'for f in *; do cat $f; done',
  'TZ=UTC git -C x log',
])('is known to change no file: %s', (text) => {
  expect(isKnownReader(['bash', '-c', text])).toBe(true);
});

it.each([
  'sed -i.bak s/a/b/ x 2>/dev/null; echo done',
  'sort -ox a',
  'find . -delete',
  'date -s 12:00',
  'cat a > b',
  'sh quiet.sh',
  'make',
])('may change a file: %s', (text) => {
  expect(isKnownReader(['bash', '-c', text])).toBe(false);
});
