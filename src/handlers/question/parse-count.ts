import type { Measure } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { ambiguous } from './failures.ts';
import { type NamedMeasure, textFrom } from './named-measure.ts';
import { type Noun, parseNoun } from './parse-noun.ts';
import { eat, type Parser, skipArticles } from './parser.ts';

/** `number of requests with status 404`, `count of distinct clients`, `how many products`, `unique clients`. */
export function parseCounted(parser: Parser): NamedMeasure | undefined {
  skipArticles(parser);
  const start = parser.at;
  const intro = eat(
    parser,
    'total number of',
    'number of',
    'numbers of',
    'count of',
    'total count of',
    'how many',
    'amount of',
    'counts of',
  );
  if (intro === undefined) return undefined;
  const noun = parseNoun(parser);
  if (!noun) return undefined;
  if (noun.dimension) return distinctOf(parser, noun, start);
  return { measure: countOf(noun), phrase: textFrom(parser, start), isCount: true };
}

function distinctOf(parser: Parser, noun: Noun, start: number): NamedMeasure {
  const { dimension } = noun;
  if (dimension?.expression.kind === 'column' && !noun.isDistinct) {
    const summed = parser.table.columns.find(({ name }) => name === dimension.name);
    if (summed?.role === 'bytes') return summedAmount(parser, summed, start);
  }
  const column = parser.table.columns.find(({ name }) => name === dimension?.name);
  if (
    column?.type === 'number' &&
    !noun.isDistinct &&
    dimension?.expression.kind === 'column' &&
    (!parser.table.isLog || column.role === 'duration')
  ) {
    throw ambiguous(
      `"number of ${noun.phrase}" may mean the sum of "${column.name}" or its distinct values: say "sum of" or "number of distinct".`,
    );
  }
  if (!noun.isDistinct)
    parser.meanings.add(`number of ${noun.phrase} = distinct values of ${dimension?.name}`);
  return {
    measure: {
      name: noun.phrase,
      aggregate: 'distinct',
      argument: dimension?.expression,
      where: [],
    },
    phrase: textFrom(parser, start),
    isCount: true,
  };
}

/** "number of bytes" is an amount, not a count of different sizes. */
function summedAmount(parser: Parser, column: Column, start: number): NamedMeasure {
  eat(parser, 'sent', 'transferred', 'served');
  parser.meanings.add(`${textFrom(parser, start)} = sum of ${column.name}`);
  const argument = { kind: 'column', column: column.name } as const;
  return {
    measure: {
      name: `total ${column.name}`,
      aggregate: 'sum',
      argument,
      where: [],
      unit: column.unit,
    },
    phrase: textFrom(parser, start),
    isCount: false,
  };
}

/** Counts the rows that a noun means. @throws TaskError for "unique requests": rows have no value to be unique by. */
export function countOf(noun: Noun): Measure {
  if (noun.isDistinct) {
    throw ambiguous(
      `"${noun.phrase}" does not say which column tells them apart: say "distinct" with its name.`,
    );
  }
  return {
    name: noun.phrase.replace(/^(?:the|all|a) /i, ''),
    aggregate: 'count',
    where: noun.filters,
  };
}
