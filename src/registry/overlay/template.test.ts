import { describe, expect, test } from 'vitest';
import { failedWith } from '../../contract/errors.ts';
import { renderTemplate } from './template.ts';

const variables = {
  name: 'Ada',
  empty: '',
  tools: ['file_io', 'terminal'],
  none: [],
  isNew: true,
  'can.x': true,
  'can.x.y': false,
};
const render = (text: string) => renderTemplate(text, variables, { path: 'skill.md' });

describe('a template is filled in', () => {
  test.each([
    ['Hello {{name}}, {{ name }}!', 'Hello Ada, Ada!'],
    ['{{tools}}', 'file_io, terminal'],
    ['{{#if name}}yes{{/if}}', 'yes'],
    ['{{#if empty}}no{{/if}}.', '.'],
    ['{{#if none}}no{{/if}}.', '.'],
    ['{{#if isNew}}new{{/if}}', 'new'],
    ['a{{#if name}}b{{#if empty}}c{{name}}{{/if}}d{{/if}}e', 'abde'],
    ['{{#if empty}}{{#if name}}x{{/if}}y{{/if}}z', 'z'],
    ['braces \\{{ stay }}', 'braces {{ stay }}'],
    ['{"json": {"a": {}}}', '{"json": {"a": {}}}'],
    ['line one\n{{name}}\n', 'line one\nAda\n'],
    ['', ''],
    ['a\n{{#if empty}}\nb\n{{/if}}\nc', 'a\nc'],
    ['a\n{{#if name}}\nb\n{{/if}}\nc', 'a\nb\nc'],
    ['a {{#if name}}\nb{{/if}}\nc', 'a \nb\nc'],
    ['{{#if can.x}}yes{{/if}}{{#if can.x.y}}no{{/if}}', 'yes'],
  ])('%j', (template, text) => {
    expect(render(template)).toBe(text);
  });

  test('once: braces in a value are text', () => {
    expect(renderTemplate('{{a}}', { a: '{{b}} {{#if x}}' }, { path: 'f' })).toBe(
      '{{b}} {{#if x}}',
    );
  });
});

describe('a template is refused, naming the file and the problem', () => {
  test.each([
    ['{{nmae}}', 'no variable "nmae"'],
    ['{{#if nmae}}x{{/if}}', 'no variable "nmae"'],
    ['{{#if empty}}{{nmae}}{{/if}}', 'no variable "nmae"'],
    ['{{constructor}}', 'no variable "constructor"'],
    ['{{__proto__}}', 'no variable "__proto__"'],
    [
      '{{#if can.x.z}}',
      'Known: name, empty, tools, none, isNew, can.<tool>, can.<tool>.<operation>',
    ],
    ['{{#if name}}open', '{{#if name}} is not closed'],
    ['{{/if}}', 'without its {{#if'],
    ['{{name', 'without its }}'],
    ['{{name\n}}', 'without its }}'],
    ['{{.Names}}', 'no variable ".Names"'],
    ['{{else}}', 'no variable "else"'],
  ])('%j', (template, problem) => {
    let thrown: unknown;
    try {
      render(template);
    } catch (error) {
      thrown = error;
    }
    expect(failedWith(thrown, 'TEMPLATE_INVALID')).toBe(true);
    expect(String(thrown)).toContain('skill.md');
    expect(String(thrown)).toContain(problem);
  });
});

test('a refusal names the line of the file, front matter counted', () => {
  const skill = { path: 'SKILL.md', line: 5 };
  expect(() => renderTemplate('fine\n{{#if name}}\n{{nmae}}{{/if}}', variables, skill)).toThrow(
    'SKILL.md:7: there is no variable "nmae"',
  );
});
