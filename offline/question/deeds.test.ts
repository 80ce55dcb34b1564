import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'books.csv': 'isbn,title,genre,price,copies\n1,A,crime,5,2\n2,B,crime,7,1\n3,C,travel,4,10\n',
  'loans.csv':
    'loan_id,isbn,member,borrowed,returned\n1,1,max,2025-01-03,2025-02-01\n2,3,max,2025-03-04,\n3,3,zoe,2025-03-09,\n',
  'costs.csv':
    'day,kind,amount,approved\n2026-03-01,food,5,yes\n2026-03-02,food,7,no\n2026-04-01,travel,9,yes\n',
  'sensors.json': '[{"name":"a","temp":1,"ok":true},{"name":"b","temp":5,"ok":false}]',
};

let bench: Bench;
afterEach(() => bench.remove());

async function rows(question: string): Promise<unknown> {
  bench = await openBench(files);
  const { data } = await answerFromData(bench.context(question));
  return data['rows'];
}

it.each<[string, unknown]>([
  ['Which member borrowed most often in loans.csv?', [['max', 2]]],
  [
    'How many loans per month?',
    [
      ['2025-01', 1],
      ['2025-03', 2],
    ],
  ],
  ['The ids of the loans that were not returned, newest first', [[3], [2]]],
  ['loan_id of loans.csv, ordered by returned, newest first, where returned is not empty', [[1]]],
  ['total value of the stock (price times copies) in books.csv', [[57]]],
  ['How many sensors are ok?', [[1]]],
  ['How many costs were approved in March in costs.csv?', [[1]]],
  ['The sum of amount of the costs that were not approved in costs.csv', [[7]]],
  ['Average amount of approved costs in costs.csv', [[7]]],
  ['sum of temp where ok is false in sensors.json', [[5]]],
  ['the temperature of a in sensors.json', [[1]]],
  [
    'total number of copies per genre in books.csv',
    [
      ['travel', 10],
      ['crime', 3],
    ],
  ],
  ['Names of the sensors that are not ok', [['b']]],
])('%s', async (question, expected) => {
  expect(await rows(question)).toEqual(expected);
});

it.each(['Which genre was borrowed most often in books.csv?', 'The most sold book in books.csv'])(
  'does not count rows that record something else: %s',
  async (question) => {
    await expect(rows(question)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
  },
);

it('shows both readings of a total of amounts', async () => {
  await expect(rows('Total costs per kind in costs.csv')).rejects.toMatchObject({
    code: 'AMBIGUOUS',
    message: expect.stringContaining('"number of costs" or "sum of amount"'),
  });
});

it('proposes no calculation with numbers that only name rows', async () => {
  await expect(rows('Which books do birds like in books.csv?')).rejects.toMatchObject({
    message: expect.not.stringContaining('isbn per'),
  });
});

it('does not read the file that an answer is for', async () => {
  bench = await openBench(files);
  const { data } = await answerFromData(
    bench.context('Books with fewer than 2 copies, as csv in few.csv'),
  );
  expect(data).toMatchObject({ path: 'books.csv', rows: [[2, 'B', 'crime', 7, 1]] });
});
