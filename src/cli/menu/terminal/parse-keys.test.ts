import { expect, it } from 'vitest';
import { isPaste } from './key.ts';
import { createKeyParser } from './parse-keys.ts';

/** `ctrl-c`, `alt-enter`, `text:a`, `paste:…` */
const names = (...chunks: readonly string[]): readonly string[] => {
  const parser = createKeyParser();
  return chunks
    .flatMap((chunk) => parser.feed(chunk))
    .map((input) => {
      if (isPaste(input)) return `paste:${input.paste}`;
      const modifiers = (['ctrl', 'alt', 'shift'] as const).filter((one) => input[one]);
      return [...modifiers, input.name === 'text' ? `text:${input.text}` : input.name].join('-');
    });
};

it.each([
  ['a', ['text:a']],
  ['é漢😀', ['text:é', 'text:漢', 'text:😀']],
  ['\r', ['enter']],
  ['\n', ['ctrl-j']],
  ['\t', ['tab']],
  ['\u001b[Z', ['shift-tab']],
  ['\u007f', ['backspace']],
  ['\u0003', ['ctrl-c']],
  ['\u001a', ['ctrl-z']],
  ['\u001bb', ['alt-b']],
  ['\u001b\r', ['alt-enter']],
  ['\u001b\u007f', ['alt-backspace']],
  ['\u001b[A', ['up']],
  ['\u001bOA', ['up']],
  ['\u001b[1;5C', ['ctrl-right']],
  ['\u001b[3~', ['delete']],
  ['\u001b[H', ['home']],
  ['\u001b[4~', ['end']],
])('%j is %j', (bytes, expected) => {
  expect(names(bytes)).toEqual(expected);
});

it.each([
  ['kitty', '\u001b[13;2u'],
  ['xterm', '\u001b[27;2;13~'],
])('tells Shift-Enter from Enter where %s reports it', (_terminal, bytes) => {
  expect(names(bytes)).toEqual(['shift-enter']);
});

it("reads keys of kitty's protocol as the same keys", () => {
  expect(names('\u001b[27u\u001b[99;5u\u001b[98;3u')).toEqual(['esc', 'ctrl-c', 'alt-b']);
});

it('reads a sequence that arrives in pieces', () => {
  expect(names('\u001b', '[1', ';5', 'D', 'x')).toEqual(['ctrl-left', 'text:x']);
});

it('keeps a lone ESC until it is flushed', () => {
  const parser = createKeyParser();
  expect(parser.feed('\u001b')).toEqual([]);
  expect(parser.isWaiting()).toBe(true);
  expect(parser.flush()).toMatchObject([{ name: 'esc' }]);
  expect(parser.isWaiting()).toBe(false);
});

it('takes two Esc for two keys', () => {
  expect(names('\u001b\u001b[A')).toEqual(['esc', 'up']);
});

it('ignores answers of the terminal and unknown sequences', () => {
  expect(names('\u001b[?1;2ca\u001b[99xb')).toEqual(['text:a', 'text:b']);
});

it('reads a paste in any pieces as one text, and keys after it as keys', () => {
  expect(names('\u001b[200~y\r', '\u0003\u001b[A\u001b[20', '1~n')).toEqual([
    'paste:y\n\u0003\u001b[A',
    'text:n',
  ]);
});

it('keeps at most 4 MiB of a paste that never ends', () => {
  const parser = createKeyParser();
  parser.feed('\u001b[200~');
  for (let count = 0; count < 6; count += 1) parser.feed('x'.repeat(1024 * 1024));
  const [pasted] = parser.feed('\u001b[201~');
  expect(pasted && isPaste(pasted) && pasted.paste.length).toBeLessThanOrEqual(4 * 1024 * 1024 + 8);
});
