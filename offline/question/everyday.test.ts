import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'orders.csv':
    'id,date,customer,status,amount\n1,2026-01-03,Lea,paid,10\n2,2026-02-03,Tom,refunded,30\n3,2025-01-03,Lea,refunded,5\n4,2026-03-01,Ida,open,20\n',
  'costs.csv': 'item,amount\nRent,900\nLamp,80\nRent,940\n',
  'people.csv': 'name,hired,salary\nLea,2019-01-01,10\nTom,,30\nIda,2022-05-01,25\n',
  'app.log':
    '2026-03-02 08:00:00 ERROR a\n2026-03-02 08:00:01 WARN b\n2026-03-02 09:00:00 INFO c\n',
  'access.log':
    '10.0.0.1 - - [02/Mar/2026:08:00:00 +0000] "GET /a HTTP/1.1" 404 1\n10.0.0.1 - - [02/Mar/2026:08:00:00 +0000] "GET /b HTTP/1.1" 500 1\n10.0.0.2 - - [02/Mar/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 1\n',
};

let bench: Bench;
afterEach(() => bench.remove());

/** The rows of the table that answers a question. */
async function rows(question: string): Promise<readonly (readonly string[])[]> {
  bench = await openBench(files);
  const { text } = await answerFromData(bench.context(question));
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it.each([
  ['who was hired before 2021?', [['Lea', '2019-01-01', '10']]],
  ['people hired in 2022 or later, name only', [['Ida']]],
  ['people without a hire date, name only', [['Tom']]],
  ['difference between the highest and the lowest salary', [['20']]],
  [
    'total refunded per customer',
    [
      ['Tom', '30'],
      ['Lea', '5'],
    ],
  ],
  [
    'amount per customer in orders.csv, sorted by customer in descending alphabetical order',
    [
      ['Tom', '30'],
      ['Lea', '15'],
      ['Ida', '20'],
    ],
  ],
  [
    'total per item',
    [
      ['Rent', '1840'],
      ['Lamp', '80'],
    ],
  ],
  [
    'average amount per item in costs.csv',
    [
      ['Rent', '920'],
      ['Lamp', '80'],
    ],
  ],
  ['rent total', [['1840']]],
  ['customers sorted alphabetically descending in orders.csv', [['Tom'], ['Lea'], ['Ida']]],
  [
    'orders over 8, id and amount only, biggest first',
    [
      ['2', '30'],
      ['4', '20'],
      ['1', '10'],
    ],
  ],
  ['which page is requested most often according to access.log?', [['/a', '2']]],
  ['how many errors and warnings in app.log?', [['2']]],
  ['how many 404 and 500 errors in access.log?', [['2']]],
])('%s', async (question, expected) => {
  expect(await rows(question)).toEqual(expected);
});

it('orders rows by the one column of time', async () => {
  const found = await rows('list the orders in orders.csv in chronological order');
  expect(found.map(([id]) => id)).toEqual(['3', '1', '2', '4']);
});

it('says what the nearest file has where no file fits', async () => {
  bench = await openBench(files);
  const context = bench.context('total of the frobs per customer');
  await expect(answerFromData(context)).rejects.toThrow('Columns of orders.csv');
});

it('refuses two directions at once', async () => {
  bench = await openBench(files);
  const context = bench.context('orders per customer, sorted ascending alphabetically descending');
  await expect(answerFromData(context)).rejects.toThrow();
});
