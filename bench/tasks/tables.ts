import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pickFrom, seeded } from './seeded.ts';
import type { BenchTask } from './task.ts';

const random = seeded(20_260_101);
const countries = ['Norway', 'Chile', 'Kenya', 'Japan', 'Malta'];
const orders = Array.from({ length: 400 }, (_, at) => ({
  id: at + 1,
  country: pickFrom(countries, random),
  status: pickFrom(['paid', 'open', 'cancelled'], random),
  cents: 100 + Math.floor(random() * 90_000),
}));
const csv = `id,country,status,amount\n${orders.map((o) => `${o.id},${o.country},${o.status},${(o.cents / 100).toFixed(2)}\n`).join('')}`;
const json = `${JSON.stringify(orders.map(({ id, country, status, cents }) => ({ id, country, status, amount: cents / 100 })))}\n`;

/** Sums in whole cents, so that rounding can't make them wrong. */
function totals(keep: (status: string) => boolean) {
  const cents = new Map<string, { sum: number; count: number }>();
  for (const order of orders) {
    if (!keep(order.status)) continue;
    const entry = cents.get(order.country) ?? { sum: 0, count: 0 };
    cents.set(order.country, { sum: entry.sum + order.cents, count: entry.count + 1 });
  }
  return [...cents].sort(([a, one], [b, two]) => two.sum - one.sum || (a < b ? -1 : 1));
}

function makeDatabase(dir: string): void {
  const database = new Database(join(dir, 'shop.db'));
  database.exec(
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, country TEXT, status TEXT, amount REAL)',
  );
  const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?)');
  for (const { id, country, status, cents } of orders) insert.run(id, country, status, cents / 100);
  database.close();
}

const all = totals(() => true);
const biggest = [...orders].sort((a, b) => b.cents - a.cents || a.id - b.id).slice(0, 5);

/** CSV, JSON and SQLite: four hundred orders from a seed. */
export const tableTasks: readonly BenchTask[] = [
  {
    id: 'tables-csv-group-to-csv',
    task: 'orders.csv lists orders with country, status and amount. Write totals.csv with header country,orders,total: per country the number of orders and the sum of amount, highest total first. Round to 2 decimals.',
    inputs: { 'orders.csv': csv },
    expected: {
      kind: 'csv_file',
      path: 'totals.csv',
      header: ['country', 'orders', 'total'],
      rows: all.map(([country, { sum, count }]) => [country, count, sum / 100]),
      tolerance: 0.005,
    },
  },
  {
    id: 'tables-csv-filter-then-group',
    task: 'Filter orders.csv to rows where status is paid, group by country and sum the amount, total rounded to 2 decimals, then save it as paid.csv',
    inputs: { 'orders.csv': csv },
    expected: {
      kind: 'csv_file',
      path: 'paid.csv',
      header: ['country', 'sum amount'],
      rows: totals((status) => status === 'paid').map(([country, { sum }]) => [country, sum / 100]),
      tolerance: 0.005,
    },
  },
  {
    id: 'tables-jsonl-group-and-count',
    task: 'Group заказы.jsonl by страна and count, then save the table as счёт.csv',
    inputs: {
      'заказы.jsonl': orders
        .map(({ country, status }) => `${JSON.stringify({ страна: country, status })}\n`)
        .join(''),
    },
    expected: {
      kind: 'csv_file',
      path: 'счёт.csv',
      header: ['страна', 'rows'],
      rows: [...all]
        .sort(([a, one], [b, two]) => two.count - one.count || (a < b ? -1 : 1))
        .map(([country, { count }]) => [country, count]),
      tolerance: 0,
    },
  },
  {
    id: 'tables-csv-filter-group-json',
    task: 'Using orders.csv, find the total amount per country of the orders with status "paid". Write paid.json as a list of {"country","total"} ordered by total from high to low, total rounded to 2 decimals.',
    inputs: { 'orders.csv': csv },
    expected: {
      kind: 'json_file',
      path: 'paid.json',
      value: totals((status) => status === 'paid').map(([country, { sum }]) => ({
        country,
        total: sum / 100,
      })),
      tolerance: 0.005,
    },
  },
  {
    id: 'tables-json-top',
    task: 'Find the five orders with the highest amount in orders.json and save them as top.csv',
    inputs: { 'orders.json': json },
    expected: {
      kind: 'text_contains',
      path: 'top.csv',
      all: biggest.map(({ id, country, status, cents }) =>
        [id, country, status, cents / 100].join(','),
      ),
    },
  },
  {
    id: 'tables-sqlite-group',
    task: 'Using the SQLite database shop.db, find the three countries with the highest total amount. Write best.json as a list of {"country","total"} ordered by total from high to low, total rounded to 2 decimals.',
    inputs: makeDatabase,
    expected: {
      kind: 'json_file',
      path: 'best.json',
      value: all.slice(0, 3).map(([country, { sum }]) => ({ country, total: sum / 100 })),
      tolerance: 0.005,
    },
  },
  {
    id: 'tables-sqlite-fence',
    task: 'Run this SQL on shop.db:\n```sql\nSELECT status, count(*) AS orders FROM orders GROUP BY status ORDER BY status\n```\nand save the result as status.csv',
    inputs: makeDatabase,
    expected: {
      kind: 'csv_file',
      path: 'status.csv',
      header: ['status', 'orders'],
      rows: ['cancelled', 'open', 'paid'].map((status) => [
        status,
        orders.filter((order) => order.status === status).length,
      ]),
    },
  },
];
