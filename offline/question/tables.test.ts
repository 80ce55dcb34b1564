import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Check, check } from '../../bench/tasks/check.ts';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const shop = `sku,name,category,price,stock,added
a1,"Lamp, small",Light,1200.50,3,2024-01-05
a2,"Desk ""Oak""",Furniture,80,10,2024-02-01
a3,Chair,Furniture,20.25,0,2024-02-14
a4,Bulb,Light,,100,2024-03-01
a5,"Multi
line",Garden,5,7,2023-12-31
`;

let bench: Bench;
const open = async (files: Record<string, string>) => {
  bench?.remove();
  bench = await openBench(files);
};
beforeEach(() => open({ 'shop.csv': shop }));
afterEach(() => bench.remove());

interface Answer {
  readonly text: string;
  readonly data: { columns: string[]; rows: (string | number | null)[][]; value?: unknown };
}
const answerOf = (found: unknown) => found as Answer;
const ask = async (task: string) => answerOf(await answerFromData(bench.context(task)));
const content = (path: string) => readFileSync(join(bench.workspace, path), 'utf8');

describe('the table analyst', () => {
  it.each<[string, (string | number | null)[][]]>([
    ['How many rows are in shop.csv?', [[5]]],
    [
      'Average price per category in shop.csv',
      [
        ['Light', 1200.5],
        ['Furniture', 50.125],
        ['Garden', 5],
      ],
    ],
    ['Sum of price*stock in shop.csv', [[4436.5]]],
    [
      'Group shop.csv by category and count',
      [
        ['Furniture', 2],
        ['Light', 2],
        ['Garden', 1],
      ],
    ],
    [
      'Filter shop.csv to rows where stock is above 5, group by category and sum the stock',
      [
        ['Light', 100],
        ['Furniture', 10],
        ['Garden', 7],
      ],
    ],
    [
      'From shop.csv, group by category and average the price, average rounded to 1 decimal',
      [
        ['Light', 1200.5],
        ['Furniture', 50.1],
        ['Garden', 5],
      ],
    ],
    [
      'Total stock per category in shop.csv, lowest first',
      [
        ['Garden', 7],
        ['Furniture', 10],
        ['Light', 103],
      ],
    ],
    ['Number of products per month in shop.csv where added since 2024-01-01', []],
    ['Names of the rows of shop.csv with stock 0', [['Chair']]],
    [
      'Name and price of the rows in shop.csv with price above 50, most expensive first',
      [
        ['Lamp, small', 1200.5],
        ['Desk "Oak"', 80],
      ],
    ],
    ['Which category of shop.csv has the highest total stock?', [['Light', 103]]],
    [
      'Number of rows per year of added in shop.csv',
      [
        [2023, 1],
        [2024, 4],
      ],
    ],
    ['Number of rows in shop.csv added before 2024-02-01', [[2]]],
    ['Names of the rows of shop.csv without price', [['Bulb']]],
  ])('%s', async (task, rows) => {
    if (rows.length === 0) {
      await expect(ask(task)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
      return;
    }
    expect((await ask(task)).data.rows).toEqual(rows);
  });

  it.each([
    [
      'CSV',
      'Write out.csv with header category,n: number of rows per category in shop.csv',
      'out.csv',
      'category,n\nFurniture,2\nLight,2\nGarden,1\n',
    ],
    [
      'TSV',
      'Write out.tsv: number of rows per category in shop.csv',
      'out.tsv',
      'category\trows\nFurniture\t2\nLight\t2\nGarden\t1\n',
    ],
    [
      'CSV with quotes',
      'Write out.csv with columns name, stock: the two rows of shop.csv with the highest stock',
      'out.csv',
      'name,stock\nBulb,100\n"Desk ""Oak""",10\n',
    ],
    [
      'CSV without a header',
      'Write out.csv without a header: number of rows per category in shop.csv',
      'out.csv',
      'Furniture,2\nLight,2\nGarden,1\n',
    ],
    [
      'JSON',
      'Write out.json as a list of {"category","n"} (n = number of rows) per category in shop.csv, ties by category',
      'out.json',
      undefined,
    ],
    ['Markdown', 'Write out.md: number of rows per category in shop.csv', 'out.md', undefined],
  ])('writes %s', async (_format, task, path, expected) => {
    const { text } = await ask(task);
    expect(text).toContain(
      `Wrote \`${path}\` (${Buffer.byteLength(content(path))} bytes) and read it back.`,
    );
    if (expected !== undefined) expect(content(path)).toBe(expected);
    if (path === 'out.json') {
      expect(JSON.parse(content(path))).toEqual([
        { category: 'Furniture', n: 2 },
        { category: 'Light', n: 2 },
        { category: 'Garden', n: 1 },
      ]);
    }
    if (path === 'out.md') expect(content(path)).toContain('| Furniture |    2 |');
    expect(bench.artifacts).toEqual([path]);
  });

  it('never writes over what it reads', async () => {
    await expect(ask('Sort shop.csv by price and write shop.csv')).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_UNDERSTOOD|INPUT_INVALID/),
    });
    expect(content('shop.csv')).toBe(shop);
  });

  it('writes an object of single values', async () => {
    await ask(
      'Write s.json with {"rows": number of rows, "categories": number of distinct categories, "dearest": {"name","price"}, "first": earliest added} of shop.csv',
    ).catch((error) => {
      expect(error.code).toBe('NOT_UNDERSTOOD');
    });
    await ask(
      'Write s.json with {"rows": number of rows, "categories": number of distinct categories, "first": earliest added}, from shop.csv',
    );
    expect(JSON.parse(content('s.json'))).toEqual({ rows: 5, categories: 3, first: '2023-12-31' });
  });

  it('reads JSON in its usual shapes', async () => {
    const list = [
      { id: 'x', at: { city: 'Oslo' }, n: 1 },
      { id: 'y', at: { city: 'Rome' }, n: 2 },
      { id: 'z', at: { city: 'Rome' }, n: 4 },
    ];
    await open({
      'list.json': JSON.stringify(list),
      'inside.json': JSON.stringify({ version: 1, orders: list }),
      'lines.jsonl': list.map((item) => JSON.stringify(item)).join('\n'),
    });
    for (const name of ['list.json', 'inside.json', 'lines.jsonl']) {
      const { data } = await ask(`Sum of n per city in ${name}`);
      expect(data.rows).toEqual([
        ['Rome', 6],
        ['Oslo', 1],
      ]);
    }
  });

  it('takes each of several lists of a JSON file as a table', async () => {
    const orders = [
      { city: 'Oslo', n: 1 },
      { city: 'Rome', n: 2 },
    ];
    const staff = [{ name: 'Ann', open: true }];
    await open({ 'firm.json': JSON.stringify({ orders, staff }) });
    expect((await ask('Sum of n over all orders in firm.json')).data.rows).toEqual([[3]]);
    expect((await ask('How many staff are in firm.json?')).data.rows).toEqual([[1]]);
  });

  it('does not answer about a list of a JSON file whose name can be no table', async () => {
    const years = { 2024: [{ n: 1 }], 2025: [{ n: 2 }] };
    await open({ 'years.json': JSON.stringify(years) });
    await expect(ask('Sum of n in years.json')).rejects.toThrow(/several lists/);
  });

  it('sums the stock of what is left, and shows rows that are not counted', async () => {
    await open({ 'plants.csv': 'product,stock\nwatering cans,37\nrakes,4\n' });
    const left = await ask('how many watering cans are in stock in plants.csv');
    expect(left.data.rows).toEqual([[37]]);
    expect((await ask('Show all rows of the table in plants.csv')).data.rows).toHaveLength(2);
  });

  it.each([
    ['Show all orders by amount descending in orders.csv', [3, 1, 2]],
    ['Orders by amount, largest first, in orders.csv', [3, 1, 2]],
    ['List the orders by date in orders.csv', [2, 3, 1]],
  ])('orders rows by an amount or a time: %s', async (task, ids) => {
    const rows = ['1,20,2025-03-01', '2,5,2025-01-09', '3,70,2025-02-04'];
    await open({ 'orders.csv': `id,amount,date\n${rows.join('\n')}\n` });
    expect((await ask(task)).data.rows.map(([id]) => id)).toEqual(ids);
  });

  it('does not choose between an order and a group', async () => {
    await open({ 'visits.csv': 'id,visitor,date\n1,Ann,2025-03-01\n2,Bo,2025-01-09\n' });
    await expect(ask('Visits by date in visits.csv')).rejects.toThrow(/order or a group/);
  });

  it('takes a value beside its column as the condition of a percentage', async () => {
    await open({ 's.csv': 'sale,channel\n1,online\n2,door\n3,online\n4,\n' });
    const task = 'What percentage of the rows in s.csv have the channel online?';
    expect((await ask(task)).data.rows).toEqual([[50]]);
  });

  it.each([
    ['shop.csv', 'Sum of colour in shop.csv', 'NOT_UNDERSTOOD', '"colour"'],
    ['shop.csv', 'Average name in shop.csv', 'NOT_UNDERSTOOD', '"Average"'],
    [
      'shop.csv',
      'Names of the rows of shop.csv where category is Tools',
      'NOT_FOUND',
      'Furniture, Garden',
    ],
    ['shop.csv', 'Number of rows per month and city in shop.csv', 'NOT_UNDERSTOOD', '"city"'],
    ['gone.csv', 'How many rows are in gone.csv?', 'FILE_MISSING', 'gone.csv'],
    ['open.csv', 'How many rows are in open.csv?', 'TOOL_FAILED', 'open.csv'],
    ['bad.json', 'How many rows are in bad.json?', 'TOOL_FAILED', 'bad.json'],
    ['mixed.csv', 'Sum of n in mixed.csv', 'NOT_UNDERSTOOD', '"Sum"'],
    ['dates.csv', 'Number of rows per month in dates.csv', 'NOT_UNDERSTOOD', '"month"'],
  ])('of %s, %s, fails', async (_file, task, code, named) => {
    await open({
      'shop.csv': shop,
      'twice.csv': 'a,a\n1,2\n',
      'open.csv': 'a,b\n1,"2\n',
      'bad.json': '[{"a": 1},',
      'mixed.csv': 'k,n\na,1\nb,2\nc,many\n',
      'dates.csv': 'd,n\n01/02/2024,1\n03/04/2024,2\n',
    });
    await expect(ask(task)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(named),
    });
    expect(bench.calls.some(({ args }) => args['operation'] === 'write')).toBe(false);
  });

  it('leaves out rows of another width, and says so', async () => {
    await open({ 'r.csv': 'a,b\n1,2\n3\n4,5,6\n7,8\n' });
    const { data, text } = await ask('Sum of b in r.csv');
    expect(data.rows).toEqual([[10]]);
    expect(text).toContain('2 lines of r.csv have another format than the rest');
  });

  it('hands all rows on to later steps or none, never a part', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => `${n},${'x'.repeat(30)}`);
    await open({ 'big.csv': `n,t\n${rows.join('\n')}\n` });
    const { data, text } = await ask('List the rows of big.csv with n above 5');
    expect(data).toMatchObject({ total_rows: 11_994, rows_left_out: true });
    expect(data.rows).toBeUndefined();
    expect(text).toContain('and 11794 more rows');
  });
});

describe('a word that is a column of yes and no', () => {
  it('is compared with yes, not tested for a date', async () => {
    writeFileSync(join(bench.workspace, 'loans.csv'), 'id,returned\n1,no\n2,yes\n3,no\n');
    const { data } = await ask('How many loans were not returned in loans.csv?');
    expect(data).toMatchObject({ rows: [[2]] });
  });
});

describe('what is no question about a table', () => {
  it('counts lines of its file as text where the words ask for that', async () => {
    expect((await ask('Count the lines that contain Chair in shop.csv')).text).toBe(
      '1 line of shop.csv contain "Chair".',
    );
  });

  it.each(['Delete shop.csv', 'Remove the file shop.csv', 'Rename shop.csv to "old shop.csv"'])(
    'refuses "%s"',
    async (task) => {
      await expect(ask(task)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
      expect(content('shop.csv')).toBe(shop);
    },
  );

  it('takes no unknown word that no value of a column explains', async () => {
    for (const task of [
      'How many rows were shipped (shop.csv)?',
      'How many rows from Berlin (price over 10) are in shop.csv?',
    ])
      await expect(ask(task)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
  });

  it('rounds no figure that is not the one named', async () => {
    await expect(
      ask('From shop.csv, group by category and average the price, total rounded to 2 decimals'),
    ).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
  });
});

const tasks = join(import.meta.dirname, '../../../shared/data/tasks');
const ids = existsSync(tasks)
  ? readdirSync(tasks).filter((id) => existsSync(join(tasks, id, 'task.json')))
  : [];

describe.skipIf(ids.length === 0)(
  'the shared tasks (skipped where shared/data/tasks is absent)',
  () => {
    it.each(ids.length === 0 ? ['none'] : ids)('%s is done right, by general rules', async (id) => {
      const { task, expected } = JSON.parse(readFileSync(join(tasks, id, 'task.json'), 'utf8')) as {
        task: string;
        expected: Check;
      };
      const inputs = join(tasks, id, 'inputs');
      cpSync(inputs, bench.workspace, { recursive: true });
      const { text } = answerOf(await answerFromData(bench.context(task)));
      const verdicts = check(expected, { workspace: bench.workspace, inputs, answer: text });
      expect(verdicts.filter(({ isRight }) => !isRight)).toEqual([]);
    });
  },
);

describe('a task of which a part had no effect fails', () => {
  const orders = `id,customer,country,amount,date
1,Ada,DE,10.50,2024-01-05
2,Bo,FR,99.00,2024-01-09
3,Ada,DE,45.25,2024-02-01
`;
  it.each([
    ['Show the last 2 orders of orders.csv by amount', 'last'],
    ['Count the first 2 orders of orders.csv by country', '"Count"'],
    ['First and last order in orders.csv', '"First"'],
  ])('%s', async (task, named) => {
    await open({ 'orders.csv': orders });
    await expect(ask(task)).rejects.toMatchObject({
      code: 'NOT_UNDERSTOOD',
      message: expect.stringContaining(named),
    });
    expect(bench.calls.some(({ args }) => args['operation'] === 'write')).toBe(false);
  });

  it.each([
    'The 2 largest orders in orders.csv by amount',
    'The last 2 orders in orders.csv',
    'The first order per customer in orders.csv',
    'The last order per customer in orders.csv',
    'The 2nd largest order in orders.csv by amount',
    'Sum the amount of the orders in orders.csv',
    'Average amount in orders.csv, rounded to 1 decimal',
    'How many orders in orders.csv are from January 2024?',
    'Highest and lowest amount in orders.csv',
    'The two largest orders in orders.csv by amount, where country is DE, as a table',
  ])('where every part counts, it is done: %s', async (task) => {
    await open({ 'orders.csv': orders });
    expect((await ask(task)).text).not.toBe('');
  });
});

describe('cells that pass through keep their text', () => {
  const prices = 'name,price,weight\nrope,10.50,2.34567\nbuoy,1200.00,2\nlamp,7,n/a\n';

  it('in a file, and in the table that is shown', async () => {
    await open({ 'p.csv': prices });
    const { text } = await ask('Sort p.csv by price and write it to sorted.csv');
    expect(content('sorted.csv')).toBe(
      'name,price,weight\nlamp,7,n/a\nrope,10.50,2.34567\nbuoy,1200.00,2\n',
    );
    expect(text).toMatch(/rope +\| +10\.50 \| 2\.34567/);
  });

  it('as data and as JSON they are numbers, and their texts go along', async () => {
    await open({ 'p.csv': prices });
    const { data } = await ask('Sort p.csv by price');
    expect(data.rows[1]).toEqual(['rope', 10.5, 2.34567]);
    expect(data).toMatchObject({
      texts: [
        ['lamp', '7', 'n/a'],
        ['rope', '10.50', '2.34567'],
        ['buoy', '1200.00', '2'],
      ],
    });
    await ask('Convert p.csv to p.json');
    expect(JSON.parse(content('p.json'))[0]).toMatchObject({ price: 10.5 });
  });

  it('what is calculated or rounded is a number', async () => {
    await open({ 'p.csv': prices });
    expect((await ask('Highest price in p.csv')).data.rows).toEqual([[1200]]);
  });
});

it('an absolute path keeps its slash', async () => {
  await open({ 'data/orders.csv': shop });
  await expect(ask('How many rows are in /data/orders.csv?')).rejects.toMatchObject({
    message: expect.stringContaining('/data/orders.csv'),
  });
});

it('a log in no known format is refused with what works instead', async () => {
  await open({ 'app.log': 'It began.\nIt broke: ERROR\n' });
  await expect(ask('Average duration in app.log')).rejects.toMatchObject({
    message: expect.stringContaining('how many lines of app.log contain "ERROR"?'),
  });
});
