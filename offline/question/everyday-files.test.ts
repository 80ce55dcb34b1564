import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'rentals.csv':
    'Rental No;Date;Tenant;Flat;Rent;Paid On;Due;Receipt\nR-1;03.01.2026;Anna Berg;A1;1.250,50;2026-01-05;2026-01-04;yes\nR-2;14.01.2026;Ben Cole;A2;980,00;;2026-01-20;no\nR-3;02.02.2026;Anna Berg;A1;1.250,50;2026-02-02;2026-02-04;yes\nR-4;28.02.2026;Cem Dar;B1;1.100,00;;2026-03-01;no\n',
  'flats.csv':
    'flat,district,size,heating\nA1,North,60,gas\nA2,North,45,electric\nB1,South,80,gas\nB2,South,30,gas\n',
  'repairs.jsonl':
    '{"id":"X1","reported":"2026-03-02","finished":"2026-03-04","craftsman":"Ohm Ltd","status":"done"}\n{"id":"X2","reported":"2026-03-05","finished":"2026-03-15","craftsman":"Ohm Ltd","status":"failure"}\n{"id":"X3","reported":"2026-03-09","finished":null,"craftsman":"Pipe Co","status":"done"}\n',
  'customers.csv': 'customer_id,name,land\nC101,Ann,DE\nC102,Bo,FR\nC103,Cy,DE\n',
  'sales_done.csv':
    'No,Customer,SKU,Turnover\n1,C101,P-1,10\n2,C103,P-2,30\n3,C102,P-2,5\n4,C101,P-3,1\n',
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
    [
      'Total turnover per land, using sales_done.csv and customers.csv',
      [
        ['DE', 41],
        ['FR', 5],
      ],
    ],
    [
      'Total turnover per customer land',
      [
        ['DE', 41],
        ['FR', 5],
      ],
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

describe('sums and numbers that were not asked for', () => {
  const figures = {
    'tickets.csv':
      'id,type,priority,status\n1,bug,high,open\n2,feature,low,open\n3,bug,low,closed\n',
    'campaigns.csv': 'name,cost,clicks\nA,5,10\nB,7,20\n',
    'repairs_done.csv': 'craft,hours,cost_per_hour\nroof,5,40\nbath,2,50\n',
    'purchases.csv':
      'order,customer,status,payment_method,amount\n1,Lea,paid,card,60\n2,Lea,paid,cash,70\n3,Tom,open,card,20\n',
    'people.csv': 'name,city,age\nLea,Rome,30\nTom,Rome,40\n',
    'trips.csv': 'trip,paid_by,km\nT1,Lea,10\nT2,Tom,20\n',
  };

  let tables: Bench;
  beforeAll(async () => {
    tables = await openBench(figures);
  });
  afterAll(() => tables.remove());

  const found = async (question: string): Promise<unknown> =>
    (await answerFromData(tables.context(question))).data['rows'];

  it('counts the rows with a value, not all rows', async () => {
    expect(await found('How many bugs are open in tickets.csv?')).toEqual([[1]]);
  });

  it.each([
    // Costs are no revenue, and rates are not added up.
    'Total revenue in campaigns.csv',
    'What was the best name in campaigns.csv?',
    'How much did we spend in repairs_done.csv?',
    // "The number of paid orders" asks for a count, not for an amount.
    'What is the payment method of each order in purchases.csv?',
    'Payment method of each order in purchases.csv',
    'Total per city in people.csv',
    // A limit of the total is not one of each row.
    'Which customers have an amount over 100 in total in purchases.csv?',
    // `paid` is not used by `paid_by`.
    'Total km per paid_by of the paid trips in trips.csv',
  ])('answers no sum that was not asked for: %s', async (question) => {
    await expect(found(question)).rejects.toThrow();
  });

  it.each<[string, unknown]>([
    ['What is the total number of paid orders in purchases.csv?', [[2]]],
    ['Total amount for paid orders in purchases.csv', [[130]]],
    ['How many bugs are there in total in tickets.csv?', [[2]]],
  ])('adds no other figure: %s', async (question, expected) => {
    expect(await found(question)).toEqual(expected);
  });
});
