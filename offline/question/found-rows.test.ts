import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({
    'sales.csv': 'id,country,amount\n1,DE,5.50\n2,DE,7.00\n3,FR,2.00\n4,IT,5.50\n5,DE,7.00\n',
  });
});
afterEach(() => bench.remove());

/** Asks a question, then another one about what the first found. */
async function ask(first: string, second: string) {
  const before = await answerFromData(bench.context(first));
  const results = [{ subtask_id: 'step_1', description: first, result: before }];
  return answerFromData(bench.context(second, results));
}

it('saves a column of the rows that were found, in their order and spelling', async () => {
  await ask('Show the sales of DE in sales.csv, highest amount first', 'Save the amounts as a.txt');
  expect(readFileSync(join(bench.workspace, 'a.txt'), 'utf8')).toBe('7.00\n7.00\n5.50\n');
});

it.each([
  ['Which sales are in DE?', 'How many are there?', [[3]]],
  ['Which sales are in DE?', 'Sum the amount in what was found before', [[19.5]]],
  ['The two sales with the highest amount', 'Count the countries', [[1]]],
  ['Run `SELECT id FROM sales WHERE amount > 6;` on sales.csv', 'How many are there?', [[2]]],
])('%s %s', async (first, second, rows) => {
  const { data } = await ask(first, second);
  expect(data).toMatchObject({ rows });
});

it('shows a statement that can be run again', async () => {
  const { data } = await ask('Which sales are in DE?', 'Save their ids as ids.csv');
  const { data: third } = await answerFromData(
    bench.context(`Run \`${String(data['sql']).replaceAll('\n', ' ')}\` on sales.csv`),
  );
  expect(third).toMatchObject({ columns: ['id'], rows: [[1], [2], [5]] });
});

it('knows only the columns of the result', async () => {
  const asked = ask('ids of the sales in DE in sales.csv', 'Save their countries as c.csv');
  await expect(asked).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
});

it('does not read a common word as a code of a table', async () => {
  const { data } = await answerFromData(bench.context('How many rows does it have in sales.csv?'));
  expect(data).toMatchObject({ rows: [[5]] });
});
