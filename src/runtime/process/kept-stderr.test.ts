import { expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../policy/secrets/redact.ts';
import { KeptStderr, shownStderr } from './kept-stderr.ts';

const SECRET = 'sk-kept-0123456789abcdefghijklmnop';
const { redact } = createRedactor([SECRET]);

function kept(...parts: readonly string[]): string {
  const stderr = new KeptStderr();
  for (const part of parts) stderr.push(Buffer.from(part));
  return stderr.text(redact);
}

it('returns a short stderr unchanged, without secrets that arrived in two parts', () => {
  expect(kept('one\n', SECRET.slice(0, 9), `${SECRET.slice(9)}\n`)).toBe(`one\n${REDACTED}\n`);
  expect(kept()).toBe('');
});

it.each([1, 9, 20, SECRET.length - 1])(
  'shows no part of a secret that lost its first %i characters',
  (lost) => {
    for (const bytes of [64 * 1024, 80 * 1024]) {
      const text = kept(SECRET, 'x'.repeat(bytes - SECRET.length + lost));
      for (let at = 0; at + 4 <= SECRET.length; at += 4)
        expect(text.includes(SECRET.slice(at, at + 4))).toBe(false);
    }
  },
);

it('counts what it left out, and begins with a whole character', () => {
  expect(kept('x'.repeat(70_000))).toMatch(/^\[4464 bytes before this were left out\]\nx{65536}$/);
  expect(kept('\u00e9'.repeat(50_000), 'x')).toMatch(/^\[\d+ bytes before .*\]\n\u00e9+x$/);
});

it('marks where the shown part is truncated', () => {
  expect(shownStderr('abc', 3)).toBe('abc');
  expect(shownStderr('abcd', 3)).toBe('[1 characters before this were left out]\nbcd');
});

it('keeps the same text, however it arrives', () => {
  const text = Array.from({ length: 20_000 }, (_, line) => `${line}\n`).join('');
  for (const size of [7, 4_096, 65_536, 100_000]) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(kept(...chunks)).toBe(kept(text));
  }
});
