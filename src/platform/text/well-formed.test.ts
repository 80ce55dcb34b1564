import { describe, expect, it } from 'vitest';
import { parseWellFormed, wellFormed } from './well-formed.ts';

describe('wellFormed', () => {
  it('replaces lone surrogates in texts and names, at any depth', () => {
    const odd = { ['k\ud800']: ['a\udc00', { b: 'c\ud83d' }], n: 1, no: null };
    expect(wellFormed(odd)).toEqual({ 'k\ufffd': ['a\ufffd', { b: 'c\ufffd' }], n: 1, no: null });
  });

  it('returns the value itself if there is nothing to replace', () => {
    const value = { text: 'a \u{1f600} b', list: [1, 'x'] };
    expect(wellFormed(value)).toBe(value);
  });

  it('parses escapes of lone surrogates, and leaves pairs and escaped backslashes alone', () => {
    expect(parseWellFormed('["\\ud800", "\\uD83D\\uDE00", "\\\\ud800", "\\uDC00x"]')).toEqual([
      '\ufffd',
      '\u{1f600}',
      '\\ud800',
      '\ufffdx',
    ]);
  });
});
