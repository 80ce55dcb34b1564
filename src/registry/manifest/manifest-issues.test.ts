import { expect, it } from 'vitest';
import { plainManifest } from '../../../test/setup/temporary-capsules.ts';
import { Manifest, manifestFields } from './manifest.ts';
import { manifestInvalid, manifestIssues } from './manifest-issues.ts';

function issuesOf(changes: Readonly<Record<string, unknown>>): string[] {
  const parsed = Manifest.safeParse({ ...plainManifest('mine'), ...changes });
  if (parsed.success) throw new Error('the manifest is valid');
  const found = manifestIssues(parsed.error, manifestFields);
  return manifestInvalid('m', found).message.split('\n').slice(1);
}

it.each<[string, Record<string, unknown>, string]>([
  ['is missing', { name: undefined }, '  name: it is missing; it must be a text. Add it.'],
  ['has another type', { skills: 'git' }, '  skills: must be a list. Correct it.'],
  ['has no such form', { version: '1' }, '  version: must look like 1.0.0. Correct it.'],
  ['is misspelled', { skils: [] }, '  skils: there is no such field here. Did you mean skills?'],
  ['is empty', { name: '' }, '  name: must not be empty. Correct it.'],
  [
    'is misspelled deep inside',
    { grants: { tools: { file_io: { operation: ['read'] } } } },
    '  grants.tools.file_io.operation: there is no such field here. Did you mean operations?',
  ],
  [
    'has a pattern that would be read character by character',
    { grants: { tools: { file_io: { paths: ['**', 'x/!(a|b)'] } } } },
    '  grants.tools.file_io.paths[1]: "x/!(a|b)": write "{a,b}" or several patterns instead of a group in "()", or "\\(" for the character. Correct it.',
  ],
  ['is unknown', { trust: 'full' }, '  trust: there is no such field here. Remove it.'],
  [
    'lies deep',
    { task_kinds: [{ name: 'work', mode: 'magic', description: 'x' }] },
    '  task_kinds[0].mode: must be one of "handler", "prompt", "agentic". Correct it.',
  ],
])('names a field that %s, on one line, with what to do', (_what, changes, line) => {
  expect(issuesOf(changes)).toEqual([line]);
});

it('counts what it does not show', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));
  expect(issuesOf(many).at(-1)).toBe('… and 20 more');
});
