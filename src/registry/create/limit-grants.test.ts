import { describe, expect, it } from 'vitest';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { limitGrants } from './limit-grants.ts';

const read = { operations: ['read'] };
const grant = (request: ToolGrant, most: ToolGrant) =>
  limitGrants({ tool: { ...read, ...request } }, { tool: { ...read, ...most } });

describe('grants are limited', () => {
  it('to the tools that may be granted', () => {
    const requested = JSON.parse(
      '{"a": {"operations": ["read"]}, "b": {"operations": ["read"]}, "toString": {}, "__proto__": {}}',
    );
    expect(limitGrants(requested, { a: read })).toEqual({ a: read });
  });

  it.each<[string, ToolGrant, ToolGrant, ToolGrant]>([
    ['what is left out means none', {}, { paths: ['**'] }, { paths: [] }],
    ['an empty list stays empty', { paths: [] }, { paths: ['**'] }, { paths: [] }],
    ['kinds that are not granted', { hosts: ['*'] }, {}, {}],
    [
      'narrower paths',
      { paths: ['src/**', '!src/x'] },
      { paths: ['**'] },
      { paths: ['src/**', '!src/x'] },
    ],
    [
      'paths that lead out',
      { paths: ['/etc/**', '../x', '~/x', 'a/../../b'] },
      { paths: ['**'] },
      { paths: [] },
    ],
    [
      'paths of another folder',
      { paths: ['**', 'src/a', 'lib/**'] },
      { paths: ['src/**'] },
      { paths: ['src/a'] },
    ],
    [
      'braces that lead elsewhere',
      { paths: ['src/{a,../../b}'] },
      { paths: ['src/**'] },
      { paths: [] },
    ],
    [
      'exclusions',
      { paths: ['a'] },
      { paths: ['**', '!secret/**'] },
      { paths: ['a', '!secret/**'] },
    ],
    [
      'hosts',
      { hosts: ['*', 'a.x.org', 'x.org', 'evilx.org'] },
      { hosts: ['*.x.org'] },
      { hosts: ['a.x.org'] },
    ],
    [
      'commands',
      { commands: ['git log **', 'gitk', '**', 'rm **'] },
      { commands: ['git **'] },
      { commands: ['git log **'] },
    ],
    [
      'a command with a free word',
      { commands: ['** log', 'git * **'] },
      { commands: ['git * **'] },
      { commands: ['git * **'] },
    ],
    [
      'operations',
      { operations: ['read', 'write'] },
      { operations: ['read', 'list'] },
      { operations: ['read'] },
    ],
  ])('%s', (_, request, most, granted) => {
    expect(grant(request, most)).toEqual({ tool: { ...read, ...granted } });
  });

  it.each([
    ['no operation is named', {}],
    ['none of those named may be granted', { operations: ['write'] }],
  ])('to no tool if %s', (_, request) => {
    expect(limitGrants({ tool: request }, { tool: read })).toEqual({});
  });
});
