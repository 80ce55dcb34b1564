import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'clients.csv':
    'id,name,country,signup_date\n1,Ann,DE,2024-02-01\n2,Bo,FR,2023-05-01\n3,Cy,DE,2023-01-09\n',
  'sales.csv':
    'sale,client_id,date,amount\n1,1,2025-02-02,5\n2,2,2025-01-03,6\n3,3,2025-03-01,9\n4,1,2025-01-02,1\n',
  'app.log':
    '2024-06-01T08:01:14Z ERROR [web-1] GET /a 500 800ms\n2024-06-01T08:02:49Z INFO [web-2] GET /b 200 600ms\n2024-06-01T08:02:50Z ERROR [web-1] GET /a 500 400ms\n',
  'notes.md':
    '# Meeting\n\nWe decided to delay the release by one week, since the price list is wrong.\n',
  'config.json': '{"port":8080,"debug":true}',
  'none.csv': '',
  'old/Sales March 2024.csv': 'id,x\n1,2\n2,3\n',
  'data.csv': 'weight\n1\n',
  'my data.csv': 'weight\n7\n',
  'a/parts 2024.csv': 'weight\n1\n',
  'b/parts 2024.csv': 'weight\n2\n',
});

it.each<[string, unknown]>([
  [
    'clients who signed up in 2023',
    [
      [2, 'Bo', 'FR', '2023-05-01'],
      [3, 'Cy', 'DE', '2023-01-09'],
    ],
  ],
  ['which client signed up first?', [[3, 'Cy', 'DE', '2023-01-09']]],
  ['show me the errors in the log grouped by endpoint', [['/a', 2]]],
  [
    'average response time per path in app.log',
    [
      ['/a', 600],
      ['/b', 600],
    ],
  ],
  ['number of sales from DE in sales.csv', [[3]]],
  ['average amount of the sales of clients from Germany', [[5]]],
  ['How many rows are in none.csv?', [[0]]],
  ['sum of x in old/Sales March 2024.csv', [[5]]],
  ['total weight in my data.csv', [[7]]],
  ['total weight in data.csv', [[1]]],
  ['total weight in b/parts 2024.csv', [[2]]],
])('answers a first question: %s', async (question, rows) => {
  expect((await ask(question)).data['rows']).toEqual(rows);
});

it.each(['hello', 'What can you do?', 'Help!'])(
  'offers examples that work for: %s',
  async (task) => {
    const { text, data } = await ask(task);
    const examples = data['examples'] as readonly string[];
    expect(examples.length).toBeGreaterThan(3);
    expect(text).not.toContain('config');
    for (const one of examples.filter((each) => /\.(?:csv|log)$/.test(each)))
      expect((await ask(one)).data['rows']).not.toEqual([]);
  },
);

it('proposes no average of codes, and no row of settings', async () => {
  await expect(ask('average happiness per path in app.log')).rejects.not.toThrow(/average status/);
  await expect(ask('the blue one in config.json')).rejects.not.toThrow(/first 5/);
});

it('chooses none of several files with the same name', async () => {
  const about = { code: 'AMBIGUOUS', message: expect.stringContaining('a/parts 2024.csv or b/') };
  await expect(ask('total weight in parts 2024.csv')).rejects.toMatchObject(about);
});
