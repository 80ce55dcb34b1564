import { describe, expect, it } from 'vitest';
import { tokenize } from '../../language/lexer.ts';
import type { TaskError } from '../../task-error.ts';
import { withProposal } from '../propose/suggest.ts';
import { describeTable, type Table } from '../table/schema.ts';
import { tried, understand } from '../understand.ts';

const orders = (): Table =>
  describeTable({
    ...{
      sql: 'orders',
      path: 'orders.csv',
      place: {},
      format: 'csv',
      rows: 4,
      nouns: ['order'],
      notes: [],
    },
    names: ['id', 'customer', 'country', 'status', 'amount', 'ordered_at'],
    types: { id: 'integer', customer: 'text', country: 'text', status: 'text', amount: 'real' },
    sample: [
      [1, 'Ada', 'DE', 'paid', 10.5, '2024-01-05'],
      [2, 'Bo', 'FR', 'open', 99, '2024-01-09'],
      [3, 'Ada', 'DE', 'paid', 45.25, '2024-02-01'],
      [4, 'Cem', 'IT', 'paid', 7, '2024-03-11'],
    ],
  });

const access = (): Table =>
  describeTable({
    ...{
      sql: 'access',
      path: 'access.log',
      place: {},
      format: 'access_log',
      rows: 2,
      nouns: ['access'],
    },
    names: ['client', 'time', 'method', 'path', 'endpoint', 'status', 'bytes', 'duration_ms'],
    types: { status: 'integer', bytes: 'integer', duration_ms: 'integer' },
    sample: [
      ['10.0.0.1', '2026-03-02 06:00:00', 'GET', '/a/1', '/a/:id', 200, 10, 5],
      ['10.0.0.2', '2026-03-02 07:00:00', 'POST', '/b', '/b', 500, 20, 900],
    ],
    notes: [],
  });

/** The statement in one line. @throws TaskError */
const sqlOf = (question: string, table: Table): string =>
  understand(tokenize(question), table).composed.sql.replaceAll('\n', ' ');

describe('a question about a table is one statement', () => {
  it.each([
    ['How many orders are in orders.csv?', 'SELECT count(*) AS orders FROM orders'],
    [
      'Number of different customers in orders.csv',
      'SELECT count(DISTINCT customer) AS "different customers" FROM orders',
    ],
    [
      'Total amount per country in orders.csv, lowest first',
      'SELECT country, sum(amount) AS "total amount" FROM orders GROUP BY country ORDER BY "total amount" NULLS LAST, country',
    ],
    [
      'Which country spent the most in orders.csv?',
      'SELECT country, sum(amount) AS spent FROM orders GROUP BY country ORDER BY spent DESC, country LIMIT 1',
    ],
    [
      'Orders per country in orders.csv, alphabetically',
      'SELECT country, count(*) AS orders FROM orders GROUP BY country ORDER BY country',
    ],
    [
      'Total amount per month in orders.csv, newest to oldest',
      "SELECT strftime('%Y-%m', ordered_at) AS month, sum(amount) AS \"total amount\" FROM orders GROUP BY strftime('%Y-%m', ordered_at) ORDER BY month DESC",
    ],
    [
      'Orders with "d" in the customer in orders.csv',
      "SELECT * FROM orders WHERE customer LIKE '%d%'",
    ],
    ['Average order value in orders.csv', 'SELECT avg(amount) AS "average amount" FROM orders'],
    ['Show orders.csv as a table', 'SELECT * FROM orders'],
    [
      'min, max and average amount in orders.csv',
      'SELECT min(amount) AS "min amount", max(amount) AS "max amount", avg(amount) AS "average amount" FROM orders',
    ],
    [
      'Show the three largest orders of orders.csv by amount',
      'SELECT * FROM orders ORDER BY amount DESC NULLS LAST LIMIT 3',
    ],
    [
      'The second largest order in orders.csv by amount',
      'SELECT * FROM orders ORDER BY amount DESC NULLS LAST LIMIT 1 OFFSET 1',
    ],
    [
      'Which customer has the highest total amount in orders.csv?',
      'SELECT customer, sum(amount) AS "total amount" FROM orders GROUP BY customer ORDER BY "total amount" DESC, customer LIMIT 1',
    ],
    [
      'Paid orders from DE or FR with an amount over 20 in orders.csv',
      "SELECT * FROM orders WHERE status = 'paid' AND country IN ('DE', 'FR') AND amount > 20",
    ],
    [
      'Orders in orders.csv except those from DE',
      "SELECT * FROM orders WHERE NOT (country = 'DE')",
    ],
    [
      'Orders in January 2024 in orders.csv',
      "SELECT * FROM orders WHERE strftime('%Y-%m', ordered_at) = '2024-01'",
    ],
    [
      'customers who ordered more than once in orders.csv',
      'SELECT customer, count(*) AS "rows" FROM orders GROUP BY customer HAVING count(*) > 1 ORDER BY "rows" DESC, customer',
    ],
    [
      'Count the orders per month in orders.csv',
      "SELECT strftime('%Y-%m', ordered_at) AS month, count(*) AS orders FROM orders GROUP BY strftime('%Y-%m', ordered_at) ORDER BY month",
    ],
    [
      'The last 2 orders in orders.csv',
      'SELECT * FROM orders WHERE rowid IN (SELECT rowid FROM orders ORDER BY rowid DESC LIMIT 2) ORDER BY rowid',
    ],
    [
      'What percentage of orders is from DE in orders.csv?',
      `SELECT round(100.0 * count(*) FILTER (WHERE country = 'DE') / count(*), 2) AS "% orders" FROM orders`,
    ],
    [
      'Customers whose name starts with "A" in orders.csv',
      "SELECT DISTINCT customer FROM orders WHERE customer LIKE 'A%' ORDER BY customer",
    ],
    ['Customers whose surname starts with "A" in orders.csv', undefined],
  ])('%s', (question, sql) => {
    if (sql === undefined) expect(() => sqlOf(question, orders())).toThrow();
    else expect(sqlOf(question, orders())).toBe(sql);
  });
});

describe('a question about a log', () => {
  it.each([
    [
      'Which endpoint has the most errors in access.log?',
      'SELECT endpoint, count(*) AS errors FROM access WHERE status >= 400 GROUP BY endpoint ORDER BY errors DESC, endpoint LIMIT 1',
    ],
    [
      'How many POST requests took longer than 0.3 s in access.log?',
      `SELECT count(*) AS "POST requests" FROM access WHERE method = 'POST' AND duration_ms > 300`,
    ],
    [
      'How many 404s are in access.log?',
      'SELECT count(*) AS "404 s" FROM access WHERE status = 404',
    ],
  ])('%s', (question, sql) => {
    expect(sqlOf(question, access())).toBe(sql);
  });
});

describe('what is not understood', () => {
  it.each([
    'Which customer is the happiest in orders.csv?',
    'Show three random orders from orders.csv',
    'The largest country in orders.csv',
    'Orders in orders.csv unless they are paid',
    'First and last order in orders.csv',
    'List customers and their orders in orders.csv',
    'Average customer in orders.csv',
    'Which country has the highest amount in orders.csv?',
  ])('fails: %s', (question) => {
    expect(() => sqlOf(question, orders())).toThrow();
  });

  it.each([
    ['Average amount in orders.csv by happiness', 'Average amount in orders.csv'],
    ['Average amount in orders.csv per happiness', 'Average amount in orders.csv'],
  ])('proposes a sentence that can be answered: %s', (question, proposed) => {
    const table = orders();
    const error = tried(tokenize(question), table) as TaskError;
    const { message } = withProposal(error, {
      task: question,
      failures: [{ table, error, placed: 1 }],
    });
    expect(message).toContain(`This works: "${proposed}"`);
    expect(() => sqlOf(proposed, table)).not.toThrow();
  });
});
