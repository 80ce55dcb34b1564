import { expect, it } from 'vitest';
import { reworded } from './reword.ts';

it.each([
  ['In notes.md, tick off "Order new hoses"', 'tick off "Order new hoses" in notes.md'],
  ['word count of rules.txt', 'how many words are in rules.txt'],
  ["What's still open on the to-do list in notes.md?", 'list the open tasks in notes.md?'],
  ['Which message comes up most often?', 'Which message occurs most often?'],
  [
    'replace "a word count of b.txt" with "c" in d.txt',
    'replace "a word count of b.txt" with "c" in d.txt',
  ],
])('rewords %s', (task, known) => {
  expect(reworded(task)).toBe(known);
});
