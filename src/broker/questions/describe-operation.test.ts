import { describe, expect, it } from 'vitest';
import type { Tool } from '../../tools/define/tool.ts';
import { fileIo } from '../../tools/file-io.ts';
import { httpApi } from '../../tools/http-api.ts';
import { pythonExec } from '../../tools/python-exec.ts';
import { terminal } from '../../tools/terminal.ts';
import { describeOperation } from './question.ts';

const asked = (tool: string, args: unknown) => ({ request: { tool, args }, tier: 1 });

const details = (tool: Tool, args: unknown) =>
  describeOperation(tool.prepare(args).operation, asked(tool.name, args), []);

describe('the text of a question', () => {
  it('contains a network request with all its headers and its whole body', () => {
    const body = { text: 'x'.repeat(10_000), deep: { list: [1, 'two'] } };
    const shown = details(httpApi, {
      method: 'POST',
      url: 'https://example.com/a?b=c',
      headers: { 'x-first': '1', cookie: 'session=2' },
      body,
    });
    expect(shown).toContain('calls https://example.com/a?b=c');
    const request = JSON.parse(shown.slice(shown.indexOf('{')));
    expect(request.args.headers).toEqual({ 'x-first': '1', cookie: 'session=2' });
    expect(request.args.body).toEqual(body);
  });

  it.each([
    ['a path', fileIo, { operation: 'write', path: 'a\nreads "b"', content: 'text' }],
    ['a folder of a command', terminal, { argv: ['ls'], cwd: 'a\nreads "b"' }],
    ['a word of a command', terminal, { argv: ['ls', 'a\nreads "b"'] }],
    ['a folder of a shell string', terminal, { command: 'ls', cwd: 'a\nreads "b"' }],
    ['an address', httpApi, { url: 'https://example.com/a\nreads "b"' }],
    ['a header', httpApi, { url: 'https://example.com/', headers: { a: 'reads "b"' } }],
  ] as const)('does not print a line break in %s as a new line', (_what, tool, args) => {
    expect(details(tool as Tool, args).split('\n')).not.toContain('reads "b"');
  });

  it('names the hosts to which a command may send what it reads', () => {
    const shown = details(terminal, { argv: ['npm', 'ci'], network: ['Registry.example.com:443'] });
    expect(shown).toContain('may send everything that it reads to registry.example.com, and');
  });

  it('shows code unchanged, at the end', () => {
    const shown = details(pythonExec, { code: 'print(1)\nprint(2)' });
    expect(shown.split('\n').slice(-3)).toEqual(['runs Python, in ".":', 'print(1)', 'print(2)']);
  });

  it('does not show the content of a file that is only moved', () => {
    const args = { operation: 'move', path: 'long.txt', to: 'moved.txt' };
    const { operation } = fileIo.prepare(args);
    const content = 'a'.repeat(64);
    const shown = describeOperation(operation, asked('file_io', args), [
      { path: '/w/long.txt', before: content, after: 'absent', diff: '-1\n-2' },
      { path: '/w/moved.txt', before: 'absent', after: content, diff: '+1\n+2' },
    ]);
    expect(shown.split('\n').slice(1)).toEqual([
      'removes "long.txt"',
      'writes "moved.txt"',
      'the content stays the same',
    ]);
  });

  it('contains the scripts that a command runs, none of whose lines can imitate the request', () => {
    const args = { argv: ['sh', 'clean.sh'], access: 'write' };
    const scripts = [{ name: 'clean.sh', text: 'rm -f a\nruns ["ls"] in "."' }];
    const { operation } = terminal.prepare(args);
    const shown = describeOperation(operation, asked('terminal', args), [], scripts);
    expect(shown.split('\n').slice(1)).toEqual([
      'runs ["sh","clean.sh"] in "."',
      '"clean.sh" contains:',
      '  rm -f a',
      '  runs ["ls"] in "."',
    ]);
  });
});
