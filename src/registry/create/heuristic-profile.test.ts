import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSkills } from '../overlay/skills.ts';
import { heuristicProfile } from './heuristic-profile.ts';

const { catalogue } = await loadSkills([
  { dir: join(import.meta.dirname, '../../../agents/skills') },
]);
const tools = ['file_io', 'sql_query', 'web_fetch', 'http_api', 'terminal', 'python_exec'];

it.each([
  ['Read the release notes of a git repository', ['git'], ['file_io', 'terminal']],
  ['Ask a SQLite database about sales', ['sql_databases'], ['file_io', 'sql_query']],
  ['Fetch web pages and save them as Markdown', ['web_http'], ['file_io', 'web_fetch']],
  ['Write a Python program that plots a CSV', ['python_scripting'], ['file_io', 'python_exec']],
  ['日志分析', [], ['file_io']],
])('without a model, "%s" gets skills and tools by its words', (text, skills, granted) => {
  const profile = heuristicProfile(text, { skills: catalogue.list(), tools });
  expect(profile.skills).toEqual(expect.arrayContaining(skills));
  expect(profile.skills.length).toBeLessThanOrEqual(3);
  expect(Object.keys(profile.grants)).toEqual(granted);
});

it('grants writing only where the words ask for it', () => {
  const grantOf = (text: string) => heuristicProfile(text, { skills: [], tools }).grants['file_io'];
  expect(grantOf('Look for spelling mistakes')).toEqual({ operations: ['list', 'read', 'search'] });
  expect(grantOf('Fix spelling mistakes')).toEqual({});
});

it.each([
  ['Extract the tables from PDF files, please.', 'Extract tables PDF'],
  ['日志分析', '日志分析'],
  ['   ', ''],
])('makes a name of the first words that say something: %j', (text, name) => {
  expect(heuristicProfile(text, { skills: [], tools }).name).toBe(name);
});
