import { describe, expect, it } from 'vitest';
import type { Ability } from '../../contract/permissions/ability.ts';
import type { Capsule } from '../capsule-store.ts';
import { abilitiesLackedBy, type Grants, missingAbilities } from './ability.ts';

const all: readonly Ability[] = [
  'write',
  'delete',
  'move',
  'execute',
  'command',
  'web',
  'database_write',
];
const given = (grants: Grants) => {
  const missing = missingAbilities(grants, all);
  return all.filter((one) => !missing.includes(one));
};

describe('abilities follow from grants', () => {
  it.each<[string, Grants, readonly Ability[]]>([
    ['files without limits', { file_io: { paths: ['**'] } }, ['write', 'delete', 'move']],
    ['files, read-only', { file_io: { operations: ['read'], paths: ['**'] } }, []],
    ['files without paths', { file_io: {} }, []],
    ['writing', { file_io: { operations: ['file_io.write'], paths: ['out/**'] } }, ['write']],
    ['saved queries', { sql_query: { operations: ['read', 'save'], paths: ['**'] } }, ['write']],
    [
      'queries that may write',
      { sql_query: { operations: ['read', 'change'], paths: ['**'] } },
      ['database_write'],
    ],
    ['Python without commands', { python_exec: { paths: ['**'] } }, ['write', 'execute']],
    [
      'any command',
      { terminal: { commands: ['**'] } },
      ['write', 'delete', 'move', 'execute', 'command', 'database_write'],
    ],
    [
      'any command, to read',
      { terminal: { operations: ['read'], commands: ['**'], hosts: ['*'] } },
      ['execute', 'command', 'web'],
    ],
    [
      'one program',
      { terminal: { commands: ['rm **'] } },
      ['write', 'delete', 'execute', 'command'],
    ],
    ['no command', { terminal: { commands: [] } }, []],
    ['pages', { web_fetch: { hosts: ['*.example.com'] } }, ['web']],
    ['pages of no host', { web_fetch: {} }, []],
  ])('%s', (_what, grants, abilities) => {
    expect(given(grants)).toEqual(abilities);
  });
});

describe('commands of a handler', () => {
  const capsule = (origin: Capsule['origin']) =>
    ({
      origin,
      manifest: { grants: { tools: { terminal: { commands: ['**'] } }, services: [] } },
    }) as unknown as Capsule;

  it.each([
    ['that shipped only run what the task gives', 'shipped', 'handler', ['delete']],
    ['of a person may do more', 'personal', 'handler', []],
    ['with a model do more', 'shipped', 'agentic', []],
  ] as const)('%s', (_what, origin, mode, lacked) => {
    expect(abilitiesLackedBy(capsule(origin), mode, ['command', 'delete'])).toEqual(lacked);
  });
});
