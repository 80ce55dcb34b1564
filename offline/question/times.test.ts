import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const day = (ago: number): string =>
  new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

const files = {
  'sales.csv': 'id,day\n1,2025-01-09\n2,2025-11-20\n3,2026-01-15\n4,2026-04-02\n',
  'visits.csv':
    'id,at\n1,2026-03-02 08:10:00\n2,2026-03-02 10:00:30\n3,2026-03-02 14:20:00\n4,2026-05-03 15:00:00\n',
  'notes.csv': `id,day\n1,${day(3)}\n2,${day(40)}\n3,${day(800)}\n`,
  'jobs.csv': `id,day\n1,${day(7)}\n2,${day(40)}\n`,
  'years.csv': 'id,day\n1,2024-01-09\n2,2024-02-20\n3,2024-05-15\n4,2026-04-02\n',
  'app.log':
    '2026-03-02 08:00:00 ERROR a\n2026-03-02 08:00:01 WARN b\n2026-03-02 09:00:00 ERROR c\n',
};

let bench: Bench;
afterEach(() => bench.remove());

async function ids(question: string): Promise<readonly unknown[]> {
  bench = await openBench(files);
  const { data } = await answerFromData(bench.context(question));
  return (data['rows'] as readonly (readonly unknown[])[]).map(([id]) => id);
}

it.each<[string, readonly number[]]>([
  ['Sales from November in sales.csv', [2]],
  ['Sales from November 2025 on in sales.csv', [2, 3, 4]],
  ['Sales in Q1 2026 in sales.csv', [3]],
  ['Sales in the second quarter of 2026 in sales.csv', [4]],
  ['Visits since April in visits.csv', [4]],
  ['Visits between March and April in visits.csv', [1, 2, 3]],
  ['Visits after 10:00 in visits.csv', [2, 3, 4]],
  ['Visits between 08:00 and 10:30 in visits.csv', [1, 2]],
  ['Visits since 3 pm in visits.csv', [4]],
  ['Notes in the last 2 weeks in notes.csv', [1]],
  ['Jobs last week in jobs.csv', [1]],
  ['Rows in January 2024 to March 2024 in years.csv', [1, 2]],
  ['Rows in 2024 to 2025 in years.csv', [1, 2, 3]],
  ['Notes today in notes.csv', []],
  ['The last 2 errors in app.log', [1, 3]],
])('%s', async (question, expected) => {
  expect(await ids(question)).toEqual(expected);
});

it.each([
  ['Sales since November in sales.csv', '"November 2025" or "November 2026"'],
  ['Sales in January in sales.csv', '"January 2025" or "January 2026"'],
  ['Sales between January and April in sales.csv', '"January 2025" or "January 2026"'],
  ['Sales from 2025-11-20 in sales.csv', '"on 2025-11-20" or "since 2025-11-20"'],
  ['Visits since Monday in visits.csv', 'Give a date'],
])('has two readings: %s', async (question, readings) => {
  await expect(ids(question)).rejects.toMatchObject({
    code: 'AMBIGUOUS',
    message: expect.stringContaining(readings),
  });
});
