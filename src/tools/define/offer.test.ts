import { describe, expect, it } from 'vitest';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { grantedBy } from '../../policy/grants/grants.ts';
import { toolbox } from '../toolbox.ts';

const offer = (name: string, grant: ToolGrant, services: string[] = []) =>
  toolbox.get(name)?.offer(grantedBy(grant, services)) ?? expect.fail(name);

const argumentsOf = (name: string, grant: ToolGrant, services?: string[]) =>
  Object.keys((offer(name, grant, services).parameters['properties'] ?? {}) as object);

const problemOf = (name: string, args: unknown, grant: ToolGrant): string => {
  try {
    toolbox.get(name)?.prepare(args, () => grantedBy(grant, []));
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

const all = { paths: ['**'] };

describe('a tool is offered as far as it is granted', () => {
  it('file_io with the operations and their arguments only', () => {
    const reader = { operations: ['list', 'read', 'search'], ...all };
    const { description, parameters } = offer('file_io', reader);
    expect(description).toBe('Lists, reads and searches files of the workspace.');
    expect(parameters['properties']).toMatchObject({ operation: { enum: reader.operations } });
    const unused = ['content', 'old_text', 'new_text', 'replace_all', 'to', 'replace'];
    expect(argumentsOf('file_io', reader)).not.toEqual(expect.arrayContaining(unused));
    expect(JSON.stringify(parameters)).not.toMatch(
      /\b(write|append|edit|rename|move|copy|delete)\b/,
    );
  });

  it('file_io with what a single change needs', () => {
    expect(argumentsOf('file_io', { operations: ['edit'], ...all })).toEqual([
      ...['operation', 'path', 'old_text', 'new_text', 'replace_all'],
    ]);
    expect(argumentsOf('file_io', { operations: ['file_io.delete'], ...all })).toEqual([
      ...['operation', 'path'],
    ]);
  });

  it.each([
    ['terminal', { commands: ['git log **'] }, ['argv', 'cwd', 'access', 'timeout_sec']],
    [
      'terminal',
      { commands: ['**'], operations: ['read'] },
      ['argv', 'command', 'cwd', 'timeout_sec'],
    ],
    ['python_exec', {}, ['code', 'access', 'timeout_sec']],
    [
      'python_exec',
      { ...all, hosts: ['*'] },
      ['code', 'access', 'timeout_sec', 'network', 'save_as'],
    ],
    ['http_api', { operations: ['GET'], hosts: ['*'] }, ['url', 'headers']],
    [
      'http_api',
      { operations: ['GET', 'POST'], hosts: ['*'] },
      ['method', 'url', 'headers', 'body'],
    ],
  ])('%s with %j has %j', (name, grant, expected) => {
    expect(argumentsOf(name, grant)).toEqual(expected);
  });

  it('http_api with services if the capsule has any', () => {
    expect(argumentsOf('http_api', { hosts: ['*'] }, ['weather'])).toContain('service');
  });

  it('names the granted paths, hosts and commands if not all are granted', () => {
    expect(offer('file_io', { paths: ['reports/**'] }).description).toContain(
      'Granted paths: reports/**.',
    );
    expect(offer('terminal', { commands: ['git log **'] }).description).toContain('git log **');
    expect(offer('file_io', all).description).not.toContain('Granted');
  });

  it('sql_query does not speak of changes to a capsule that may only read', () => {
    const reader = { operations: ['read', 'save'], ...all };
    expect(argumentsOf('sql_query', reader)).not.toContain('access');
    expect(JSON.stringify(offer('sql_query', reader))).not.toContain('access \\"write\\"');
    expect(argumentsOf('sql_query', { operations: ['read', 'change'], ...all })).toContain(
      'access',
    );
  });

  it('does not speak of a network that it has none of', () => {
    expect(JSON.stringify(offer('terminal', { commands: ['**'] }))).not.toContain('`network`');
  });
});

describe('an error in arguments suggests what the capsule may use', () => {
  const reader = { operations: ['list', 'read'], ...all };

  it.each([
    ['an operation that there is none of', { operation: 'cat' }],
    ['no operation', {}],
    ['an operation that is not granted, with other errors', { operation: 'edit', path: 'a' }],
    ['an argument of another operation', { operation: 'read', path: 7, content: 'x' }],
    ['an argument that there is none of', { operation: 'read', file: 'a' }],
  ])('%s', (_title, args) => {
    const problem = problemOf('file_io', args, reader);
    expect(problem).toContain('operation (list, read), path,');
    expect(problem).not.toMatch(/old_text|new_text|append|delete|search/);
  });

  it('also if two arguments exclude each other', () => {
    const few = { commands: ['git log **'] };
    expect(problemOf('terminal', {}, few)).toContain('argv');
    expect(problemOf('terminal', {}, few)).not.toContain('command"');
    expect(
      problemOf('terminal', { argv: ['git'], access: 'all' }, { operations: ['read'] }),
    ).toContain('"access" must be read');
  });
});
