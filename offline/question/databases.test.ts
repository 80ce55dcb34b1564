import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  const db = new Database(join(bench.workspace, 'shop.db'));
  db.exec(`
    CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY, Name TEXT, Country TEXT);
    CREATE TABLE Invoice (InvoiceId INTEGER PRIMARY KEY, CustomerId INTEGER, BillingCountry TEXT, InvoiceDate TEXT, Total NUMERIC);
    CREATE TABLE "Odd ""name" (x INTEGER);
    INSERT INTO Customer VALUES (1, 'Ann', 'NO'), (2, 'Bob', 'IT'), (3, 'Cem', 'IT');
    INSERT INTO Invoice VALUES (1, 1, 'NO', '2024-01-05 00:00:00', 10.5), (2, 2, 'IT', '2024-01-09 00:00:00', 4), (3, 3, 'IT', '2025-02-01 00:00:00', 7.25), (4, 1, 'NO', '2025-03-01 00:00:00', 0.5);
  `);
  const insert = db.prepare('INSERT INTO "Odd ""name" VALUES (?)');
  db.transaction(() => {
    for (let n = 0; n < 25_000; n += 1) insert.run(n);
  })();
  db.close();
});
afterEach(() => bench.remove());

interface Answer {
  readonly text: string;
  readonly data: { columns: string[]; rows: (string | number | null)[][] };
}
const answerOf = (found: unknown) => found as Answer;
const ask = async (task: string) => answerOf(await answerFromData(bench.context(task)));

describe('the SQL analyst', () => {
  it.each<[string, (string | number)[][]]>([
    ['How many customers are in shop.db?', [[3]]],
    ['How many customers are in the shop database?', [[3]]],
    [
      'Number of customers per country in shop.db',
      [
        ['IT', 2],
        ['NO', 1],
      ],
    ],
    [
      'Using the SQLite database shop.db, find the billing country with the highest total invoice revenue',
      [['IT', 11.25]],
    ],
    [
      'Number of invoices per year in shop.db',
      [
        [2024, 2],
        [2025, 2],
      ],
    ],
    [
      'The two invoices with the highest total in shop.db',
      [
        [1, 1, 'NO', '2024-01-05 00:00:00', 10.5],
        [3, 3, 'IT', '2025-02-01 00:00:00', 7.25],
      ],
    ],
    ['Names of customers in shop.db in IT', [['Bob'], ['Cem']]],
    ['Sum of x in shop.db', [[312_487_500]]],
    ['Average x in shop.db where x is at least 24998', [[24998.5]]],
  ])('%s', async (task, rows) => {
    expect((await ask(task)).data.rows).toEqual(rows);
  });

  it('runs given SQL unchanged', async () => {
    const { text, data } = await ask(
      'Run `SELECT Name, Country FROM Customer ORDER BY Name DESC LIMIT 1` against shop.db',
    );
    expect(data).toMatchObject({ columns: ['Name', 'Country'], rows: [['Cem', 'IT']] });
    expect(text).toContain('Ran unchanged');
  });

  it('writes what it found', async () => {
    await ask(
      'Find the countries of customers in shop.db. Write c.csv with header country,n: number of customers per Country in shop.db',
    ).catch(() => undefined);
    await ask(
      'Write c.csv with header country,n: number of customers per Country in shop.db, most first',
    );
    expect(readFileSync(join(bench.workspace, 'c.csv'), 'utf8')).toBe('country,n\nIT,2\nNO,1\n');
  });

  it('writes about the question before, not about all rows', async () => {
    await ask(
      'Using shop.db, how many customers are there in IT? Write n.json with {"customers"}.',
    );
    expect(JSON.parse(readFileSync(join(bench.workspace, 'n.json'), 'utf8'))).toEqual({
      customers: 2,
    });
    const unclear =
      'Using shop.db, how many customers are there in IT? Write n.json with {"n": number of customers}.';
    await expect(ask(unclear)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
  });

  it.each([
    'How many rows does each table of shop.db have?',
    'Which tables are in shop.db and how many rows does each have?',
  ])('counts the rows of each table: %s', async (task) => {
    const rows = [
      ['Customer', 3],
      ['Invoice', 4],
      ['Odd name', 25_000],
    ];
    expect((await ask(task)).data.rows).toEqual(rows);
  });

  it.each([
    'Which tables are in shop.db?',
    "What's in shop.db?",
    'What is inside shop.db?',
    'What does shop.db contain?',
  ])('lists the tables: %s', async (task) => {
    const { columns, rows } = (await ask(task)).data;
    expect(columns).toEqual(['table', 'columns']);
    expect(rows.map(([table]) => table)).toEqual(['Customer', 'Invoice', 'Odd name']);
  });

  it.each([
    ['How many rows are in shop.db?', 'AMBIGUOUS', 'Customer'],
    ['Number of suppliers in shop.db', 'NOT_UNDERSTOOD', 'Invoice(InvoiceId'],
    ['How many customers are in the staging database?', 'NOT_UNDERSTOOD', '"staging"'],
    ['How many customers are in gone.db?', 'FILE_MISSING', 'gone.db'],
    ['Run `SELECT 1` against shop.db and email it', 'NOT_UNDERSTOOD', '"email", "it"'],
    ['Run `SELECT nope FROM Customer` against shop.db', 'TOOL_FAILED', 'nope'],
    ['Delete the customers in shop.db', 'NOT_UNDERSTOOD', '"Delete"'],
    ['Delete notes.md', 'NOT_FOR_ME', 'name of a table'],
  ])('fails: %s', async (task, code, named) => {
    await expect(ask(task)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(named),
    });
  });
});
