import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'rentals.csv':
    'Rental No;Date;Tenant;Flat;Rent;Paid On;Due;Receipt\nR-1;03.01.2026;Anna Berg;A1;1.250,50;2026-01-05;2026-01-04;yes\nR-2;14.01.2026;Ben Cole;A2;980,00;;2026-01-20;no\nR-3;02.02.2026;Anna Berg;A1;1.250,50;2026-02-02;2026-02-04;yes\nR-4;28.02.2026;Cem Dar;B1;1.100,00;;2026-03-01;no\n',
  'flats.csv':
    'flat,district,size,heating\nA1,North,60,gas\nA2,North,45,electric\nB1,South,80,gas\nB2,South,30,gas\n',
  'repairs.jsonl':
    '{"id":"X1","reported":"2026-03-02","finished":"2026-03-04","craftsman":"Ohm Ltd","status":"done"}\n{"id":"X2","reported":"2026-03-05","finished":"2026-03-15","craftsman":"Ohm Ltd","status":"failure"}\n{"id":"X3","reported":"2026-03-09","finished":null,"craftsman":"Pipe Co","status":"done"}\n',
  'scores/marks.csv': 'Student,Group,Essay,Exam,Bonus\nAmy,A,10,80,yes\nBo,A,,91,\nCy,B,7,91,\n',
};

const sales = 'country,units\nUS,9\n,8\nDE,7\n';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({ ...files, 'sales.csv': sales });
});
afterAll(() => bench.remove());

async function rows(question: string): Promise<unknown> {
  return (await answerFromData(bench.context(question))).data['rows'];
}

const read = (name: string) => readFileSync(join(bench.workspace, name), 'utf8');

describe('dates and amounts as people write them', () => {
  it.each<[string, unknown]>([
    ['How many rentals were in January?', [[2]]],
    [
      'Total rent per month in rentals.csv',
      [
        ['2026-01', 2230.5],
        ['2026-02', 2350.5],
      ],
    ],
    ['Sum of rent of Anna Berg in rentals.csv', [[2501]]],
    ['How much did Anna pay?', [[2501]]],
  ])('%s', async (question, expected) => {
    expect(await rows(question)).toEqual(expected);
  });
});

describe('what is done and what is not', () => {
  it.each<[string, unknown]>([
    ['How many unpaid rentals are there?', [[2]]],
    ["What percentage of the rentals hasn't been paid?", [[50]]],
    ['How many rentals came without a receipt?', [[2]]],
    ['How many rentals were paid after the due date?', [[1]]],
    ['Who in group A got the bonus?', [['Amy']]],
    ["How many students didn't hand in the essay?", [[1]]],
  ])('%s', async (question, expected) => {
    const found = (await rows(question)) as unknown[][];
    expect(found.map((row) => row.slice(0, 1))).toEqual(expected);
  });
});

describe('what a sentence leaves to be said', () => {
  it('leaves empty cells out of the first groups', async () => {
    expect(await rows('Top 2 countries by units in sales.csv')).toEqual([
      ['US', 9],
      ['DE', 7],
    ]);
    expect(await rows('Total units per country in sales.csv')).toHaveLength(3);
  });

  it('keeps the column that names the rows when the sentence also asks for another', async () => {
    const found = await rows("What's not paid yet in rentals.csv, and when is it due?");
    expect((found as unknown[][]).map(([name]) => name)).toEqual(['R-2', 'R-4']);
  });

  it('writes a converted table to a file of the same name', async () => {
    await rows('Convert sales.csv to JSON');
    expect(JSON.parse(read('sales.json'))).toHaveLength(3);
    await rows('Turn sales.json into a CSV file called again.csv');
    expect(read('again.csv')).toContain('DE,7');
  });
});

describe('times between two columns', () => {
  it.each<[string, unknown]>([
    ['On average, how many days did it take to finish a repair?', [[6]]],
    [
      'Average time from reported to finished per craftsman in repairs.jsonl',
      [
        ['Ohm Ltd', 6],
        ['Pipe Co', null],
      ],
    ],
    ['How many repairs took longer than a week?', [[1]]],
  ])('%s', async (question, expected) => {
    expect(await rows(question)).toEqual(expected);
  });
});

describe('files that belong together', () => {
  it.each<[string, unknown]>([
    [
      'Total rent per district, using rentals.csv and flats.csv',
      [
        ['South', 1100],
        ['North', 3481],
      ].toReversed(),
    ],
    ['Which flats in flats.csv do not appear in rentals.csv?', [['B2', 'South', 30, 'gas']]],
  ])('%s', async (question, expected) => {
    expect(await rows(question)).toEqual(expected);
  });
});

it('shows all that share the first place', async () => {
  expect(await rows('Who has the highest exam score?')).toEqual([
    ['Bo', 'A', null, 91, ''],
    ['Cy', 'B', 7, 91, ''],
  ]);
});

it.each([
  // A number does not say who.
  'Who have we last paid before 2026?',
  // `below` is not a value of a column.
  'Which flats are below their district?',
  'What is the value of the flats per district?',
  'Who was it?',
])('does not answer another question: %s', async (question) => {
  await expect(rows(question)).rejects.toThrow();
});
