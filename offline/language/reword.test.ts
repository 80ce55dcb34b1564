import { expect, it } from 'vitest';
import { reworded } from './reword.ts';

it.each([
  ['In notes.md, tick off "Order new hoses"', 'tick off "Order new hoses" in notes.md'],
  ['word count of rules.txt', 'how many words are in rules.txt'],
  ["What's still open on the to-do list in notes.md?", 'list the open tasks in notes.md?'],
  ['How many errors does a.log contain?', 'How many errors are in a.log?'],
  ['How many items does a.json contain?', 'How many items does a.json contain?'],
  ['How many errors does a.log not contain?', 'How many errors does a.log not contain?'],
  [
    'How many things on the to-do list are finished already?',
    'how many finished tasks are on the to-do list?',
  ],
  [
    'how many things on the plan list are done already, and how many are open',
    'how many done tasks are on the plan list and how many open tasks are on the plan list',
  ],
  ['Turn a.json into a spreadsheet file b.csv', 'save all rows of a.json as b.csv'],
  ['Turn a.txt into b.csv', 'Turn a.txt into b.csv'],
  ['Turn the first rows of a.json into b.csv', 'Turn the first rows of a.json into b.csv'],
  ['Which message comes up most often?', 'Which message occurs most often?'],
  [
    'replace "a word count of b.txt" with "c" in d.txt',
    'replace "a word count of b.txt" with "c" in d.txt',
  ],
])('rewords %s', (task, known) => {
  expect(reworded(task)).toBe(known);
});
