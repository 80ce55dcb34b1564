import type { Query } from '../tables/query.ts';
import type { Table } from '../tables/table.ts';
import { unclear } from './failures.ts';
import { findFiles } from './find-files.ts';
import { nameParts } from './name-parts.ts';
import { wordValue } from './number-words.ts';
import { phrases } from './phrases.ts';
import type { Plan } from './plan.ts';
import type { Token } from './tokens.ts';

/** What of a plan shows that a word was used. */
interface Evidence {
  readonly queries: readonly Query[];
  readonly numbers: readonly number[];
  /** All text in it, in lower case. */
  readonly text: string;
  readonly files: readonly (string | undefined)[];
  /** Files that the instruction says to write. */
  readonly outputs: ReadonlySet<string>;
}

/**
 * Compares an instruction with what was made of it: every number, date, file to write, superlative, word of order and word
 * for a calculation must show in the plans.
 *
 * @throws TaskError `NOT_UNDERSTOOD` naming the words that do not.
 */
export function assertUsed(tokens: readonly Token[], plans: readonly Plan[], table: Table): void {
  const evidence = evidenceOf(plans, findFiles(tokens).outputs);
  const ofColumns = new Set(table.columns.flatMap(({ name }) => nameParts(name)));
  const unused = tokens.filter(
    (token, at) => !ofColumns.has(token.norm) && !isUsed(tokens, at, evidence),
  );
  if (unused.length === 0) return;
  const named = unused.map(({ text }) => `"${text}"`).join(', ');
  throw unclear(`The answer would be the same without ${named}, so the task was not understood.`);
}

function evidenceOf(plans: readonly Plan[], outputs: readonly string[]): Evidence {
  const numbers: number[] = [];
  const texts: string[] = [];
  JSON.stringify(
    plans.map(({ queries, columns, object }) => ({ queries, columns, object })),
    (_key, value: unknown) => {
      if (typeof value === 'number') numbers.push(value);
      if (typeof value === 'string') texts.push(value.toLowerCase());
      return value;
    },
  );
  return {
    queries: plans.flatMap(({ queries }) => queries),
    numbers,
    text: texts.join('\n'),
    files: plans.map(({ file }) => file),
    outputs: new Set(outputs),
  };
}

function isUsed(tokens: readonly Token[], at: number, evidence: Evidence): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token?.kind === 'file')
    return evidence.files.includes(token.text) || !evidence.outputs.has(token.text);
  if (token?.kind === 'number') return isNumberUsed(token, evidence);
  if (token?.kind === 'date') return evidence.text.includes(token.norm);
  if (token?.kind !== 'word') return true;
  const value = wordValue(token.norm);
  if (value !== undefined) return value < 2 || isValueUsed(value, evidence);
  if (before?.norm === 'at' || before?.kind === 'number') return true;
  return wordRules.every(
    ([words, holds]) => !words.has(token.norm) || evidence.queries.some(holds),
  );
}

/** A unit may change a number: `0.3 s` is compared as 300 ms. */
const scales = [1, 60, 100, 1000, 1024, 3600, 60_000, 86_400, 1e6, 1024 ** 2, 3.6e6, 86.4e6, 1e9];

const isValueUsed = (value: number, { numbers }: Evidence): boolean =>
  numbers.some((one) =>
    scales.some((scale) => isNear(one, value * scale) || isNear(one * scale, value)),
  );

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

/** `2nd` picks one of an order, which no query does; only a percentile is called so. */
function isNumberUsed({ text, norm, value = 0 }: Token, evidence: Evidence): boolean {
  if (/(?:st|nd|rd|th)$/i.test(text)) {
    return evidence.queries.some(({ measures }) =>
      measures.some(({ percentile }) => percentile === value),
    );
  }
  return isValueUsed(value, evidence) || evidence.text.includes(norm);
}

type Rule = readonly [words: ReadonlySet<string>, holds: (query: Query) => boolean];

const goes = (query: Query, direction: 'ascending' | 'descending'): boolean =>
  [...query.rank, ...query.order].some((order) => order.direction === direction);
const isOrdered = ({ rank, order, limit }: Query) =>
  rank.length > 0 || order.length > 0 || limit !== undefined;
const calculates = (query: Query, ...aggregates: readonly string[]) =>
  query.measures.some(({ aggregate }) => aggregates.includes(aggregate));

const wordRules: readonly Rule[] = [
  [
    new Set(
      phrases(
        'most|highest|largest|greatest|biggest|maximum|max|slowest|longest|heaviest|latest|newest|busiest|descending|desc|decreasing',
      ),
    ),
    (query) => goes(query, 'descending') || calculates(query, 'max', 'percentile'),
  ],
  [
    new Set(
      phrases(
        'least|lowest|smallest|fewest|minimum|min|fastest|quickest|shortest|lightest|earliest|oldest|cheapest|quietest|ascending|asc|increasing',
      ),
    ),
    (query) => goes(query, 'ascending') || calculates(query, 'min', 'percentile'),
  ],
  [new Set(phrases('first|top|bottom|sorted|ordered|ranked|sort|rank')), isOrdered],
  [new Set(['last']), ({ fromEnd, partitionBy }) => fromEnd === true && !partitionBy],
  [new Set(['sum']), (query) => calculates(query, 'sum')],
  [new Set(['average', 'mean']), (query) => calculates(query, 'mean')],
  [new Set(['median']), (query) => calculates(query, 'median', 'percentile')],
  [new Set(['count', 'total']), ({ measures }) => measures.length > 0],
];
