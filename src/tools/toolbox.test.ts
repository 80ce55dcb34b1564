import { describe, expect, it } from 'vitest';
import { failedWith } from '../contract/errors.ts';
import { toolbox } from './toolbox.ts';

describe('the toolbox', () => {
  it('contains every tool under its name', () => {
    expect([...toolbox].map(([name, tool]) => [name, tool.name])).toEqual(
      [
        ...['file_io', 'terminal', 'python_exec', 'sql_query', 'web_fetch', 'http_api'],
        'ask_person',
      ].map((name) => [name, name]),
    );
  });

  it.each([...toolbox.values()])('teaches a model $name by one object of known fields', (tool) => {
    expect(tool.description.length).toBeGreaterThan(40);
    expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.parameters).not.toHaveProperty('$schema');
    expect(JSON.parse(JSON.stringify(tool.parameters))).toEqual(tool.parameters);
  });

  it.each([...toolbox.values()])('explains invalid arguments of $name', (tool) => {
    const wrong = JSON.parse('{"__proto__": 1, "constructor": 2}');
    for (const args of [{ no_such_field: 1 }, wrong, null, [], 'text', 7]) {
      expect(() => tool.prepare(args)).toThrow(
        expect.toSatisfy((error: unknown) => failedWith(error, 'TOOL_ARGS_INVALID')),
      );
    }
  });
});
