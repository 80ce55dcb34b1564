import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlResult } from '../../src/tools/sql/process/sql-protocol.ts';
import { sqlQuery } from '../../src/tools/sql-query.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { putFixtures } from './fixtures.ts';
import { questions } from './questions.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Absent in a clone without the shared data. */
const tasks = join(import.meta.dirname, '../../../shared/data/tasks');

let scratch: Scratch;
let expected: readonly unknown[][][] = [];
beforeAll(() => {
  scratch = createScratch();
  putFixtures(scratch);
  if (!hasPython) return;
  const script = join(import.meta.dirname, 'reference.py');
  const { stdout, stderr } = spawnSync('python3', [script], {
    cwd: scratch.workspace,
    input: JSON.stringify(questions.map(({ python }) => python)),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  expected = JSON.parse(stdout);
});
afterAll(() => scratch[Symbol.dispose]());

const files = {
  orders: 'orders.csv',
  customers: 'customers.tsv',
  products: { path: 'products.json', at: 'data.items' },
  events: 'events.jsonl',
  app: 'app.log',
  access: 'access.log',
};

/** A cell of a file is a text in Python; numbers that were computed may differ in the last bits. */
function isSame(cell: unknown, reference: unknown): boolean {
  if (typeof cell === 'number' && typeof reference === 'number')
    return Math.abs(cell - reference) <= 1e-9 * Math.max(1, Math.abs(reference));
  if (cell === null || reference === null) return cell === reference;
  return String(cell) === String(reference);
}

describe('sql_query answers as Python does', () => {
  it.runIf(hasPython).each(questions.map((question, at) => [question.ask, question, at] as const))(
    'about %s',
    async (_ask, { sql, args }, at) => {
      const used = Object.entries(files).filter(([name]) => new RegExp(`\\b${name}\\b`).test(sql));
      const given = args ?? { files: Object.fromEntries(used) };
      const { rows } = await scratch.ask<SqlResult>(sqlQuery, { ...given, sql, max_rows: 1_000 });
      const reference = expected[at] ?? [];
      const wrong = reference.filter(
        (row, n) => !row.every((cell, i) => isSame(rows[n]?.[i], cell)),
      );
      expect({ count: rows.length, wrong }).toEqual({ count: reference.length, wrong: [] });
    },
  );
});

interface TaskAnswer {
  readonly id: string;
  readonly input: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sql: string;
  /** The expected value of the task as rows. */
  rows(expected: { value?: unknown; rows?: unknown }): unknown[][];
}

const valuesOf = ({ value }: { value?: unknown }) =>
  (value as Record<string, unknown>[]).map((row) => Object.values(row));

const taskAnswers: readonly TaskAnswer[] = [
  {
    id: 't01-chinook-top-countries',
    input: 'chinook.db',
    args: { database: 'chinook.db' },
    sql: 'SELECT BillingCountry, round(sum(Total), 2) FROM Invoice GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5',
    rows: valuesOf,
  },
  {
    id: 't07-log-top-clients',
    input: 'access.log',
    args: { files: { log: 'access.log' } },
    sql: 'SELECT client, count(*), sum(status = 404) FROM log GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10',
    rows: valuesOf,
  },
  {
    id: 't15-products-stock-value',
    input: 'products-100.csv',
    args: { files: { p: 'products-100.csv' } },
    sql: 'SELECT Category, count(*), sum(Price * Stock) AS v FROM p GROUP BY 1 ORDER BY v DESC',
    rows: ({ rows }) => rows as unknown[][],
  },
  {
    id: 't18-weather-months',
    input: 'seattle-weather.csv',
    args: { files: { w: 'seattle-weather.csv' } },
    sql: `WITH m AS (SELECT substr(date, 1, 7) AS month, avg(temp_max) AS t, sum(precipitation) AS p, count(*) AS n FROM w GROUP BY 1)
      SELECT (SELECT month FROM m ORDER BY t DESC), (SELECT round(max(t), 2) FROM m),
        (SELECT month FROM m ORDER BY p DESC), (SELECT round(max(p), 2) FROM m), sum(n), count(*) FROM m`,
    rows({ value }) {
      const { hottest, wettest, days, months } = value as Record<string, Record<string, unknown>>;
      return [[...Object.values(hottest ?? {}), ...Object.values(wettest ?? {}), days, months]];
    },
  },
];

describe('sql_query answers the task', () => {
  it.skipIf(!existsSync(tasks)).each(taskAnswers)('$id', async ({ id, input, args, sql, rows }) => {
    cpSync(join(tasks, id, 'inputs', input), join(scratch.workspace, input));
    const task = JSON.parse(readFileSync(join(tasks, id, 'task.json'), 'utf8'));
    const answer = await scratch.ask<SqlResult>(sqlQuery, { ...args, sql });
    expect(answer.rows).toEqual(rows(task.expected));
  });
});
