import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'sales.csv':
    'id,date,region,product,units,unit_price,salesperson\n1,2025-01-05,North,Lamp,3,20.00,Ann\n2,2025-01-18,South,Desk,1,150.00,Bob\n3,2025-02-02,North,Chair,4,45.50,Ann\n4,2025-02-20,West,Lamp,10,19.00,Cid\n',
  'staff.csv':
    'name,department,salary,hire_date,manager,email,active\nAnn Lee,Engineering,85000,2019-03-01,Dan Fox,ann@acme.com,yes\nBob Ray,Sales,52000,2021-07-15,Ann Lee,bob@acme.com,no\nDan Fox,Engineering,120000,2012-05-20,,,yes\n',
  'books.json': JSON.stringify([
    { title: 'Dune', author: 'Herbert', year: 1965, pages: 412, rating: 4.5 },
    { title: 'Emma', author: 'Austen', year: 1815, pages: 474, rating: 4.1 },
    { title: 'Persuasion', author: 'Austen', year: 1817, pages: 249, rating: 3.9 },
  ]),
  'visits.csv':
    'id,at,minutes\n1,2026-04-06 09:00:00,20\n2,2026-04-07 10:00:00,95\n3,2026-04-14 10:00:00,60\n',
};

let bench: Bench;
beforeAll(async () => {
  bench = await openBench(files);
  const db = new Database(join(bench.workspace, 'shop.db'));
  db.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, category TEXT, price REAL, stock INTEGER);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), status TEXT);
    CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id), quantity INTEGER);
    INSERT INTO customers VALUES (1, 'Ann'), (2, 'Ann'), (3, 'Dee');
    INSERT INTO products VALUES (1, 'Lamp', 'home', 20, 15), (2, 'Desk', 'office', 150, 0), (3, 'Mug', 'home', 7.5, 10);
    INSERT INTO orders VALUES (1, 1, 'paid'), (2, 2, 'open'), (3, 1, 'paid');
    INSERT INTO order_items VALUES (1, 1, 1, 2), (2, 1, 3, 4), (3, 2, 2, 1);`);
  db.close();
});
afterAll(() => bench.remove());

async function rows(question: string): Promise<unknown> {
  return (await answerFromData(bench.context(question))).data['rows'];
}

describe('a sentence that people try first', () => {
  it.each<[string, unknown]>([
    [
      'Top 2 salespeople by revenue in sales.csv',
      [
        ['Ann', 242],
        ['Cid', 190],
      ],
    ],
    [
      'Monthly units in sales.csv',
      [
        ['2025-01', 4],
        ['2025-02', 14],
      ],
    ],
    ['How much did Ann sell in sales.csv?', [[242]]],
    ['What is the average number of units per sale in sales.csv?', [[4.5]]],
    ['Names of the people hired before 2020 in staff.csv', [['Ann Lee'], ['Dan Fox']]],
    ['Names of people managed by Dan Fox in staff.csv', [['Ann Lee']]],
    ['Name of the highest paid person in staff.csv', [['Dan Fox']]],
    ['How many people are inactive in staff.csv?', [[1]]],
    ["Names of the people who don't have an email address in staff.csv", [['Dan Fox']]],
    ['When was Bob Ray hired in staff.csv?', [['2021-07-15']]],
    ['How many pages does Dune have in books.json?', [[412]]],
    ['Title of the longest book in books.json', [['Emma']]],
    ['Titles of books rated above 4 in books.json', [['Dune'], ['Emma']]],
    ['Which author wrote the most books in books.json?', [['Austen', 2]]],
    ['How many visits lasted longer than half an hour in visits.csv?', [[2]]],
    ['How many visits since April 7th are in visits.csv?', [[2]]],
    ["What's the busiest day of the week in visits.csv?", [['Tue', 2]]],
  ])('%s', async (question, expected) => {
    expect(await rows(question)).toEqual(expected);
  });
});

describe('a question about several tables', () => {
  it.each<[string, unknown]>([
    [
      'Revenue per product in shop.db',
      [
        ['Desk', 150],
        ['Lamp', 40],
        ['Mug', 30],
      ],
    ],
    // Two customers have one name, and stay two.
    [
      'Orders per customer in shop.db',
      [
        ['Ann', 2],
        ['Ann', 1],
      ],
    ],
    ['Names of customers who never ordered in shop.db', [['Dee']]],
    ['Names of products out of stock in shop.db', [['Desk']]],
    ['Total stock value in shop.db', [[375]]],
    ['Which product sold the most in shop.db?', [['Mug', 4]]],
  ])('%s', async (question, expected) => {
    expect(await rows(question)).toEqual(expected);
  });

  it('joins only the tables that it needs', async () => {
    const { data } = await answerFromData(bench.context('Revenue per product in shop.db'));
    expect(data['sql']).not.toContain('customers');
  });

  it('gives the first of each group, with all that are equal', async () => {
    const { text } = await answerFromData(
      bench.context('Most expensive product in each category in shop.db'),
    );
    expect(text).toContain('for each category');
    expect(text).toMatch(/Lamp[\s\S]*Desk/);
    expect(text).not.toContain('Mug');
  });
});

it.each(['How many lamps were sold in sales.csv?', 'How many items were sold in shop.db?'])(
  'shows both readings instead of guessing: %s',
  async (question) => {
    await expect(rows(question)).rejects.toMatchObject({
      code: 'AMBIGUOUS',
      message: expect.stringMatching(/number of rows.*total (?:units|quantity)/),
    });
  },
);
