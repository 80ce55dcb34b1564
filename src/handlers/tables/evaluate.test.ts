import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { inferColumns } from './infer-columns.ts';
import type { Aggregate, Condition, Query } from './query.ts';
import type { Row, Table } from './table.ts';

const names = ['kind', 'amount', 'day'];

/** A table over rows of text, as a CSV file gives them, in batches of two. */
function tableOf(rows: readonly Row[]): Table {
  return {
    name: 't.csv',
    format: 'CSV',
    isLog: false,
    columns: inferColumns(names, rows),
    rowNouns: [],
    skipped: { count: 0, lines: [] },
    isWhole: true,
    async *rows() {
      for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
    },
  };
}

const query = (changes: Partial<Query>): Query => ({
  source: 't.csv',
  filters: [],
  groupBy: [],
  measures: [],
  having: [],
  rank: [],
  order: [],
  select: names.map((name) => ({ name, expression: { kind: 'column', column: name } })),
  ...changes,
});
const column = (name: string) => ({ kind: 'column', column: name }) as const;
const answer = async (rows: readonly Row[], changes: Partial<Query>) => {
  const [result] = await evaluate(tableOf(rows), [query(changes)]);
  if (!result) throw new Error('no result');
  return result;
};
const measure = (aggregate: Aggregate, changes = {}) => ({
  name: aggregate,
  aggregate,
  where: [],
  ...changes,
});

interface Item {
  readonly kind: string;
  readonly amount: number | undefined;
}
const items = fc.array(
  fc.record({
    kind: fc.constantFrom('a', 'b', 'c', 'Ä'),
    amount: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined, freq: 6 }),
  }),
  { minLength: 1, maxLength: 40 },
);
/** At least one number, so that the column is numeric. */
const rowsOf = (list: readonly Item[]): Row[] => [
  ...list.map(({ kind, amount }) => [
    kind,
    amount === undefined ? '' : String(amount),
    '2024-01-02',
  ]),
  ['a', '0', '2024-01-02'],
];
const withSeed = (list: readonly Item[]): Item[] => [...list, { kind: 'a', amount: 0 }];

/** Each aggregate again, the naive way. */
const naive: Record<string, (values: number[]) => number | null> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  mean: (values) =>
    values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length,
  min: (values) => (values.length === 0 ? null : Math.min(...values)),
  max: (values) => (values.length === 0 ? null : Math.max(...values)),
  distinct: (values) => new Set(values).size,
  median: (values) => {
    const sorted = values.toSorted((a, b) => a - b);
    const half = Math.floor(sorted.length / 2);
    if (sorted.length === 0) return null;
    const [low = 0, high = 0] = [sorted[half - 1], sorted[half]];
    return sorted.length % 2 === 1 ? high : (low + high) / 2;
  },
};

describe('groups', () => {
  it('have the figures of a naive computation', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.constantFrom(...Object.keys(naive)), async (list, aggregate) => {
        const { rows } = await answer(rowsOf(list), {
          groupBy: [{ name: 'kind', expression: column('kind') }],
          measures: [
            measure('count'),
            measure(aggregate as Aggregate, { argument: column('amount') }),
          ],
        });
        const groups = groupBy(withSeed(list));
        const expected = [...groups].map(([kind, members]) => {
          const values = members.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
          const value = naive[aggregate]?.(values) ?? null;
          return [kind, members.length, value === null ? null : Number(value.toPrecision(14))];
        });
        expect(rows).toEqual(expected);
      }),
    );
  });

  it('are ranked, cut and ordered as a stable sort does', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (list, limit) => {
        const { rows, notes } = await answer(rowsOf(list), {
          groupBy: [{ name: 'kind', expression: column('kind') }],
          measures: [measure('count')],
          rank: [{ by: { output: 1 }, direction: 'descending' }],
          order: [{ by: { output: 0 }, direction: 'ascending' }],
          limit,
        });
        const counts = [...groupBy(withSeed(list))].map(
          ([kind, members]) => [kind, members.length] as const,
        );
        const ranked = counts.toSorted((a, b) => b[1] - a[1]);
        const kept = ranked.slice(0, limit).toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
        expect(rows).toEqual(kept);
        expect(notes.length > 0).toBe(
          ranked[limit - 1]?.[1] === ranked[limit]?.[1] && ranked.length > limit,
        );
      }),
    );
  });

  it('of none of the rows are none, but a total over them is', async () => {
    const none: Condition = { left: column('kind'), test: '=', values: ['zzz'] };
    const filters = [{ any: [none], negated: false }];
    const grouped = await answer(rowsOf([]), {
      filters,
      groupBy: [{ name: 'kind', expression: column('kind') }],
      measures: [measure('count')],
    });
    const total = await answer(rowsOf([]), {
      filters,
      measures: [measure('count'), measure('mean', { argument: column('amount') })],
    });
    expect([grouped.rows, total.rows]).toEqual([[], [[0, null]]]);
  });

  it('count the rows that a measure had no value in', async () => {
    const rows = [
      ['a', '', ''],
      ['a', 'n/a', ''],
      ['a', '3', ''],
    ];
    const { rows: found, notes } = await answer(rows, {
      measures: [measure('sum', { argument: column('amount') })],
    });
    expect(found).toEqual([[3]]);
    expect(notes).toEqual(['2 rows have no value for "sum" and are left out of it.']);
  });

  it('add without the error of binary fractions', async () => {
    const rows = Array.from({ length: 1_000 }, () => ['a', '0.1', '']);
    const { rows: found } = await answer(rows, {
      measures: [measure('sum', { argument: column('amount') })],
    });
    expect(found).toEqual([[100]]);
  });
});

const groupBy = (list: readonly Item[]): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of list) groups.set(item.kind, [...(groups.get(item.kind) ?? []), item]);
  return groups;
};

describe('rows', () => {
  it('are filtered and ranked as the naive way does, equals in the order of the file', async () => {
    const tests = fc.constantFrom('>', '>=', '<', '<=', '=' as const);
    await fc.assert(
      fc.asyncProperty(
        items,
        tests,
        fc.integer({ min: -50, max: 50 }),
        fc.boolean(),
        async (list, test, bound, negated) => {
          const condition = {
            left: column('amount'),
            test: test as Condition['test'],
            values: [bound],
          };
          const { rows } = await answer(rowsOf(list), {
            filters: [{ any: [condition], negated }],
            rank: [{ by: column('amount'), direction: 'descending' }],
            limit: 7,
          });
          const holds = (amount: number | undefined) =>
            amount !== undefined &&
            {
              '>': amount > bound,
              '>=': amount >= bound,
              '<': amount < bound,
              '<=': amount <= bound,
              '=': amount === bound,
            }[test as '='];
          const expected = withSeed(list)
            .filter(({ amount }) => holds(amount) !== negated)
            .toSorted(
              (a, b) =>
                (b.amount ?? Number.NEGATIVE_INFINITY) - (a.amount ?? Number.NEGATIVE_INFINITY),
            )
            .slice(0, 7);
          expect(rows.map(([kind, amount]) => [kind, amount])).toEqual(
            expected.map(({ kind, amount }) => [kind, amount ?? null]),
          );
        },
      ),
    );
  });

  it('can be the first of each group', async () => {
    const rows = [
      ['b', '1', ''],
      ['a', '5', ''],
      ['b', '7', ''],
      ['a', '5', ''],
    ];
    const found = await answer(rows, {
      partitionBy: [{ name: 'kind', expression: column('kind') }],
      rank: [{ by: column('amount'), direction: 'descending' }],
      limit: 1,
    });
    expect(found.rows.map(([kind, amount]) => [kind, amount])).toEqual([
      ['a', 5],
      ['b', 7],
    ]);
    expect(found.notes).toHaveLength(1);
  });

  it('compare text without regard to case, and dates by the calendar', async () => {
    const rows = [
      ['X', '1', '03/25/2024'],
      ['x', '2', '12/01/2023'],
      ['y', '3', '04/01/2024'],
    ];
    const byDay = {
      left: { kind: 'part', part: 'day', column: 'day' },
      test: '>=',
      values: ['2024-01-01'],
    } as const;
    const byKind = { left: column('kind'), test: '=', values: ['x'] } as const;
    const filters = [
      { any: [byDay], negated: false },
      { any: [byKind], negated: false },
    ];
    expect((await answer(rows, { filters })).rows).toEqual([['X', 1, '03/25/2024']]);
  });

  it('are refused where day and month of a date can not be told apart', async () => {
    const part = {
      name: 'month',
      expression: { kind: 'part', part: 'month', column: 'day' },
    } as const;
    const rows = [['x', '1', '03/04/2024']];
    await expect(
      answer(rows, { groupBy: [part], measures: [measure('count')] }),
    ).rejects.toMatchObject({ code: 'AMBIGUOUS' });
  });

  it('stop at a cell that breaks the type of its column', async () => {
    const table = {
      ...tableOf([['a', '1', '']]),
      async *rows() {
        yield [
          ['a', '1', ''],
          ['a', 'many', ''],
        ];
      },
    };
    const sum = query({ measures: [measure('sum', { argument: column('amount') })] });
    await expect(evaluate(table, [sum])).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('many'),
    });
  });
});

describe('columns', () => {
  it.each<[string, string[], string]>([
    ['numbers', ['1', '-2.5', '1e3', ''], 'number'],
    ['numbers with missing ones', ['1', 'NA', 'n/a', '-'], 'number'],
    ['thousands', ['1,234', '5'], 'number'],
    ['money', ['$1,234.50', '$2'], 'number'],
    ['padded numbers', ['00123', '00456'], 'text'],
    ['numbers too long to be exact', ['12345678901234567', '1'], 'text'],
    ['mostly numbers', ['1', '2', 'three'], 'mixed'],
    ['dates', ['2024-01-02', '2024-12-31 10:00:00', '2024-01-02T03:04:05Z'], 'time'],
    ['dates of either order', ['25/03/2024', '03/25/2024'], 'text'],
    ['text', ['a', '1'], 'text'],
    ['nothing', ['', ''], 'text'],
  ])('of %s are known', (_what, cells, type) => {
    expect(
      inferColumns(
        ['x'],
        cells.map((cell) => [cell]),
      )[0]?.type,
    ).toBe(type);
  });
});
