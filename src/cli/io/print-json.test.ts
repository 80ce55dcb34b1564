import { expect, it } from 'vitest';
import { printJson } from './print-json.ts';

it('escapes control characters without changing the parsed document', () => {
  const document = { answer: 'a\u009b2Jb\u202ec\u{e0041}\n\u2028', list: ['ä', '😀'] };
  let out = '';
  printJson({ stdout: (text) => (out += text) }, document);
  expect(out).toContain('a\\u009b2Jb\\u202ec\\udb40\\udc41\\n\\u2028');
  expect(out).toContain('😀');
  expect(JSON.parse(out)).toEqual(document);
  expect(out.endsWith('\n')).toBe(true);
});
