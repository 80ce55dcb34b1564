import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

let bench: Bench | undefined;
afterEach(() => bench?.remove());

const open = async (files: Record<string, string>) => {
  bench = await openBench(files);
};

interface Answer {
  readonly text: string;
  readonly data: { readonly rows: readonly (readonly (string | number | null)[])[] };
}

async function ask(task: string): Promise<Answer> {
  if (bench === undefined) throw new Error('no files are there');
  return (await answerFromData(bench.context(task))) as unknown as Answer;
}

describe('a log with levels', () => {
  const log = `starting
2026-03-02 08:00:00,120 [main] INFO started
2026-03-02 08:10:00,500 [main] ERROR payment timeout
  at pay (pay.js:3)
2026-03-02T09:00:00Z WARN: disk is nearly full
[2026-03-02 09:30:00] ERROR - payment timeout
`;

  it.each([
    ['How many errors are in app.log?', [[2]]],
    ['How many warnings about the disk are in app.log?', [[1]]],
    ['How many errors about the disk are in app.log?', [[0]]],
    ['How many log lines mention "nearly full"?', [[1]]],
    [
      'errors per hour in app.log',
      [
        ['2026-03-02 08:00', 1],
        ['2026-03-02 09:00', 1],
      ],
    ],
    [
      'errors per hour of the day in app.log',
      [
        ['08', 1],
        ['09', 1],
      ],
    ],
    ['Show the message of the latest error in app.log', [['payment timeout']]],
    [
      'Count the rows of app.log by level',
      [
        ['ERROR', 2],
        ['INFO', 1],
        ['WARN', 1],
      ],
    ],
    ['warnings per message in app.log', [['disk is nearly full', 1]]],
  ])('%s', async (task, rows) => {
    await open({ 'app.log': log });
    expect((await ask(task)).data.rows).toEqual(rows);
  });

  it('keeps the lines behind a message with it', async () => {
    await open({ 'app.log': log });
    const { data } = await ask('Show the errors of app.log');
    expect(data.rows[0]).toContain('payment timeout\n  at pay (pay.js:3)');
  });
});

it.each([
  ['Find the low stock warnings in shop.log', [3, 5]],
  ['How often did Ann sign out?', [1]],
])('the word before a file name is no word of a message: %s', async (task, found) => {
  const lines = [
    ['INFO', 'Ann signed in'],
    ['INFO', 'Ann signed out'],
    ['WARN', 'Low stock: Rivers of the North (2 left)'],
    ['WARN', 'Slow search'],
    ['WARN', 'Low stock: Winter in Lund (3 left)'],
  ];
  const log = lines.map(([level, text], at) => `2026-03-02 08:00:0${at} ${level} ${text}\n`);
  await open({ 'shop.log': log.join('') });
  expect((await ask(task)).data.rows.map(([first]) => first)).toEqual(found);
});

it('lines of a CSV file are those of its text, rows those of its table', async () => {
  await open({ 'orders.csv': 'id,amount\n1,5\n2,7\n' });
  expect((await ask('How many lines does orders.csv have?')).text).toContain('3 lines');
  expect((await ask('How many rows does orders.csv have?')).data.rows).toEqual([[2]]);
});

it('a path of requests is a value, not a file to write', async () => {
  const line = (path: string) =>
    `10.0.0.1 - - [02/Mar/2026:06:00:00 +0000] "GET ${path} HTTP/1.1" 200 10\n`;
  await open({ 'access.log': line('/cart') + line('/login') + line('/cart') });
  expect((await ask('How many requests to /cart are in access.log?')).data.rows).toEqual([[2]]);
});

describe('a log of a program with requests', () => {
  const log = `[2026-03-02 08:00:00] INFO request method=GET path=/a status=200 ms=5
[2026-03-02 08:01:00] WARN disk is nearly full
[2026-03-02 08:02:00] ERROR request method=GET path=/b status=500 ms=70
[2026-03-02 21:02:00] ERROR sync failed
[2026-03-02 21:03:00] INFO request method=GET path=/a status=404 ms=9
`;

  it.each([
    ['How many requests are in web.log?', [[3]]],
    ['How many requests failed in web.log?', [[2]]],
    ['How many errors are in web.log?', [[2]]],
    [
      'requests per path in web.log',
      [
        ['/a', 2],
        ['/b', 1],
      ],
    ],
    ['How many warnings of each kind? Group by message.', [['disk is nearly full', 1]]],
    ['average ms in web.log', [[28]]],
  ])('%s', async (task, rows) => {
    await open({ 'web.log': log });
    expect((await ask(task)).data.rows).toEqual(rows);
  });

  it('shows the whole lines of errors', async () => {
    await open({ 'web.log': log });
    const { data } = await ask('the errors in the log that happened after 8 pm');
    expect(data.rows).toEqual([
      [4, '2026-03-02 21:02:00', 'ERROR', 'sync failed', null, null, null, null],
    ]);
  });

  it('finds the messages that say when something happened', async () => {
    await open({ 'web.log': log, 'other.log': '1 sync started\n' });
    expect((await ask('When did the sync fail?')).text).toContain('sync failed');
  });
});

it('quotes what a text says about something', async () => {
  await open({
    'rules.txt':
      'Our rules\n1. Dogs stay on a lead. The gate is locked.\n2. Keep the paths clear.\n',
    'plots.csv': 'plot,fee\nP1,9\n',
  });
  expect((await ask('What do the rules say about dogs?')).text).toContain('> Dogs stay on a lead.');
  await expect(ask('What do the rules say about cats?')).rejects.toThrow();
});

it('adds up what a question says in brackets', async () => {
  await open({ 'ticket_sales.csv': 'kind,quantity\nstudent,3\nadult,2\nstudent,4\n' });
  const { data } = await ask('How many student tickets have we sold? (add up the quantity)');
  expect(data.rows).toEqual([[7]]);
});
