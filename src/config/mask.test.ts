import { describe, expect, it } from 'vitest';
import { printable } from '../contract/text/printable.ts';
import { showValue } from './mask.ts';

describe('showValue', () => {
  it.each([
    ['a secret by its last four characters', 'sk-0123456789abcdefghij', true, '********ghij'],
    ['a short secret not at all', 'hunter2', true, '********'],
    ['a list in one line', ['a', 'b'], false, 'a, b'],
    ['an address without its password', 'http://me:p@ss@proxy:1/x', false, 'http://****@proxy:1/x'],
    ['a line break escaped', 'a\nb', false, 'a\\u000ab'],
    ['nothing as nothing', '', true, ''],
  ])('shows %s', (_what, raw, isSecret, shown) => {
    expect(showValue(raw, isSecret)).toBe(shown);
  });
});

describe('printable', () => {
  it.each([
    ['an escape sequence', '\u001b[2K', '\\u001b[2K'],
    ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
    ['an invisible letter', 'a\u200bb\u{e0041}', 'a\\u200bb\\u{e0041}'],
    ['letters of any script, left alone', 'Grüße 你好', 'Grüße 你好'],
    ['a long text, cut', 'x'.repeat(300), `${'x'.repeat(200)}…`],
  ])('makes visible: %s', (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
