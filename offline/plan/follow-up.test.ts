import { expect, it } from 'vitest';
import { withEarlier } from './follow-up.ts';

const question = 'Which orders are open in orders.csv?';

it.each([
  ['And only the ids', [question], `${question} And only the ids`],
  ['Save them as open.csv', [question], `${question} Save them as open.csv`],
  [
    'And how many are there?',
    [question, 'And only the ids'],
    `${question} And only the ids. And how many are there?`,
  ],
  ['And only the ids', [`${question} Save them as open.csv`], `${question} And only the ids`],
  ['And only the ids', ['Count the lines of a.txt', question], `${question} And only the ids`],
  ['And now only for DE', [question], `${question} And only for DE`],
  ['Now, only the ids', [question], `${question} only the ids`],
])('%s', (text, earlier, whole) => {
  expect(withEarlier(text, earlier)).toBe(whole);
});

it.each(['Count the lines of a.txt and save it as b.txt', 'Which orders are paid?'])(
  'a task that stands by itself continues none: %s',
  (text) => {
    expect(withEarlier(text, [question])).toBe(text);
  },
);

it.each(['Rename a.txt to b.txt', 'Delete a.txt', 'Run `make`'])(
  'does not repeat a task that changed something: %s',
  (earlier) => {
    expect(withEarlier('And count its lines', [earlier])).toBeUndefined();
  },
);
