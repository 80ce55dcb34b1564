import { expect, it } from 'vitest';
import { fieldsText } from './fields-text.ts';

it('a document is shown field by field', () => {
  const document = { tool: 'file_io', args: { path: 'a.txt', lines: [1, 2], more: {} } };
  expect(fieldsText(JSON.stringify(document)).split('\n')).toEqual([
    'tool: "file_io"',
    'args.path: "a.txt"',
    'args.lines[0]: 1',
    'args.lines[1]: 2',
    'args.more: {}',
  ]);
});

it('a text of several lines is below its name', () => {
  expect(fieldsText('{"content":"one\\ntwo"}')).toBe('content:\n  one\n  two');
});

it('a number and its digits, and a name with a dot and two names, look different', () => {
  expect(fieldsText('{"a":1}')).not.toBe(fieldsText('{"a":"1"}'));
  expect(fieldsText('{"a.b":1}')).not.toBe(fieldsText('{"a":{"b":1}}'));
});

it('words stay as they are, also before a document', () => {
  expect(fieldsText('no further request')).toBe('no further request');
  expect(fieldsText('see [1] and {x}')).toBe('see [1] and {x}');
  expect(fieldsText('it asked for "plan": {"task":"x"}')).toBe('it asked for "plan":\ntask: "x"');
});
