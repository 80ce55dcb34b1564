import { expect, it } from 'vitest';
import { plainVerbs } from './plain-verbs.ts';

it.each([
  ['Filter a.csv to rows where status is paid', 'Show the rows of a.csv where status is paid'],
  ['Filter größe.csv by Land Zürich', 'Show the rows of größe.csv with Land Zürich'],
  [
    'Filter a.csv to rows where status is paid, group by country and sum the amount',
    'From the rows of a.csv where status is paid, group by country and sum the amount',
  ],
  [
    'Filter a.csv by amount over 100 and then group by country and count',
    'From the rows of a.csv with amount over 100, group by country and count the rows',
  ],
  ['Group a.jsonl by country and count them', 'Group a.jsonl by country and count the rows'],
  ['Group the orders in a.csv by status and then count', 'Group the orders in a.csv by status'],
  ['Group a.csv by country, then sum the amount', 'Group a.csv by country and sum the amount'],
  ['Count the rows of a.csv', 'Count the rows of a.csv'],
])('reads "%s" as "%s"', (task, expected) => {
  expect(plainVerbs(task)).toBe(expected);
});
