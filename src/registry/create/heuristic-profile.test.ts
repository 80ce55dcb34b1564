import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Ability } from '../../contract/permissions/ability.ts';
import { missingAbilities } from '../ability/ability.ts';
import { loadSkills } from '../overlay/skills.ts';
import { heuristicProfile } from './heuristic-profile.ts';

const { catalogue } = await loadSkills([
  { dir: join(import.meta.dirname, '../../../agents/skills') },
]);
const files = ['list', 'read', 'search', 'write', 'append', 'rename', 'delete'];
const grantable = {
  file_io: { operations: files, paths: ['**'] },
  sql_query: { operations: ['read', 'save', 'change'], paths: ['**'] },
  web_fetch: { operations: ['GET'], hosts: ['*'] },
  http_api: { operations: ['GET'], hosts: ['*'] },
  terminal: { operations: ['read', 'write'], commands: ['**'] },
  python_exec: { operations: ['read', 'write'], commands: ['**'] },
};

it.each([
  ['Read the release notes of a git repository', ['git'], ['file_io', 'terminal']],
  ['Ask a SQLite database about sales', ['sql_databases'], ['file_io', 'sql_query']],
  ['Fetch web pages and save them as Markdown', ['web_http'], ['file_io', 'web_fetch']],
  ['Write a Python program that plots a CSV', ['python_scripting'], ['file_io', 'python_exec']],
  ['日志分析', [], ['file_io']],
])('without a model, "%s" gets skills and tools by its words', (text, skills, granted) => {
  const profile = heuristicProfile(text, { skills: catalogue.list(), grantable });
  expect(profile.skills).toEqual(expect.arrayContaining(skills));
  expect(profile.skills.length).toBeLessThanOrEqual(3);
  expect(Object.keys(profile.grants)).toEqual(granted);
});

it.each([
  ['Look for spelling mistakes', []],
  ['Fix spelling mistakes', ['write', 'append']],
  ['Rename photos by their date', ['write', 'append', 'rename']],
  ['Delete old logs', ['delete']],
  ['Check CHANGELOG.md for missing dates', []],
  ['Check the format of the edited drafts', []],
  ['Check the links, and then fix the broken ones', ['write', 'append']],
  ['Find duplicates, then also delete them', ['delete']],
  ['Check links\nFix broken ones', ['write', 'append']],
])('grants operations that change files only if the text asks for it: %s', (text, more) => {
  const { grants } = heuristicProfile(text, { skills: [], grantable });
  expect(grants['file_io']).toEqual({
    operations: ['list', 'read', 'search', ...more],
    paths: ['**'],
  });
});

it.each<[Ability, string, string]>([
  ['delete', 'file_io', 'delete'],
  ['move', 'file_io', 'rename'],
  ['write', 'file_io', 'write'],
  ['command', 'terminal', 'write'],
  ['execute', 'python_exec', 'write'],
  ['web', 'web_fetch', 'GET'],
  ['database_write', 'sql_query', 'change'],
])('grants what is needed, whatever the words: %s', (need, tool, operation) => {
  const { grants } = heuristicProfile('Compose a fugue', { skills: [], grantable, needs: [need] });
  expect(grants[tool]?.operations).toContain(operation);
  expect(missingAbilities(grants, [need])).toEqual([]);
});

it.each([
  ['Extract the tables from PDF files, please.', 'Extract tables PDF'],
  ['日志分析', '日志分析'],
  ['   ', ''],
])('derives a name from the first meaningful words: %j', (text, name) => {
  expect(heuristicProfile(text, { skills: [], grantable }).name).toBe(name);
});
