import { describe, expect, it } from 'vitest';
import { escapeProse, escapeText } from './escape-text.ts';

describe('escapeText', () => {
  it.each([
    ['an escape sequence', '\u001b[2Jgone', '\\u001b[2Jgone'],
    ['a carriage return', 'rm a\rls b', 'rm a\\u000dls b'],
    ['a C1 control', 'a\u009b2Jb', 'a\\u009b2Jb'],
    ['an embedding', 'a\u202ab\u202cc', 'a\\u202ab\\u202cc'],
    ['an override', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
    ['an isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['a direction mark', 'a\u200e\u200f\u061cb', 'a\\u200e\\u200f\\u061cb'],
    ['a zero-width character', 'pay\u200bpal\ufeff\u2060', 'pay\\u200bpal\\ufeff\\u2060'],
    ['a soft hyphen', 'pass\u00adword', 'pass\\u00adword'],
    ['a filler that is a letter', 'a\u3164b\u115fc', 'a\\u3164b\\u115fc'],
    ['a variation selector', 'a\ufe0fb\u{e0101}', 'a\\ufe0fb\\u{e0101}'],
    ['a tag', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a line or paragraph separator', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['half of a character', 'a\ud83d', 'a\\ud83d'],
  ])('shows %s as its escape', (_what, text, shown) => {
    expect(escapeText(text)).toBe(shown);
    expect(escapeText(text, true)).toBe(shown);
  });

  it('keeps line breaks and tabs only if they are wanted', () => {
    expect(escapeText('a\n\tb')).toBe('a\\u000a\\u0009b');
    expect(escapeText('a\n\tb', true)).toBe('a\n\tb');
  });

  it('leaves what a person can see as it is', () => {
    const text = 'naïve · 漢字 · العربية · 🙂 · $HOME/*.txt';
    expect(escapeText(text)).toBe(text);
  });
});

describe('escapeProse', () => {
  it('leaves emoji whole, and escapes joiners and selectors elsewhere', () => {
    const emoji = '1\ufe0f\u20e3 ⚠\ufe0f 👩🏽\u200d💻 👩\u200d❤\ufe0f\u200d👩\n';
    expect(escapeProse(emoji)).toBe(emoji);
    expect(escapeProse('a\u200db \ufe0f 👩\u200dx 👩\u200d\u200d👩 👩\ufe0f\ufe0f\u202e')).toBe(
      'a\\u200db \\ufe0f 👩\\u200dx 👩\\u200d\\u200d👩 👩\ufe0f\\ufe0f\\u202e',
    );
  });
});
