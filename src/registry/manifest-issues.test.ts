import { expect, it } from 'vitest';
import { plainManifest } from '../../test/temporary-capsules.ts';
import { Manifest } from './manifest.ts';
import { manifestIssues } from './manifest-issues.ts';

function issuesOf(changes: Readonly<Record<string, unknown>>): string[] {
  const parsed = Manifest.safeParse({ ...plainManifest('mine'), ...changes });
  if (parsed.success) throw new Error('the manifest is valid');
  return manifestIssues(parsed.error, Object.keys(Manifest.shape)).split('\n');
}

it.each<[string, Record<string, unknown>, string]>([
  ['is missing', { name: undefined }, '  name: it is missing; add it: it must be a string.'],
  ['has another type', { skills: 'git' }, '  skills: must be a list. Correct it.'],
  ['has no such form', { version: '1' }, '  version: must look like 1.0.0. Correct it.'],
  ['is misspelled', { skils: [] }, '  skils: there is no such field. Did you mean skills?'],
  ['is none at all', { trust: 'full' }, '  trust: there is no such field. Remove it.'],
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
