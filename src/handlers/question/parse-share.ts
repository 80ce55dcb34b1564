import type { Filter, Measure } from '../tables/query.ts';
import { type NamedMeasure, textFrom } from './named-measure.ts';
import { filterOf, parseErrors } from './parse-condition.ts';
import { parseFilters } from './parse-filter.ts';
import { parseNoun } from './parse-noun.ts';
import { attempt, eat, norm, type Parser, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';

/** `percentage of errors`, `share of requests with status 404`, `error rate`. */
export function parseShare(parser: Parser): NamedMeasure | undefined {
  skipArticles(parser);
  const start = parser.at;
  const rate = attempt(parser, parseErrorRate);
  if (rate) return shareOf(parser, { filters: rate, word: 'error rate', scale: 100 }, start);
  const word = eat(
    parser,
    ...phrases('percentage of|percent of|share of|proportion of|fraction of'),
  );
  if (word === undefined) return undefined;
  const noun = parseNoun(parser);
  if (!noun || noun.dimension) return undefined;
  const filters = [...noun.filters, ...(attempt(parser, parseShared) ?? [])];
  if (filters.length === 0) return undefined;
  const scale = /fraction|proportion/.test(word) ? 1 : 100;
  return shareOf(parser, { filters, word: textFrom(parser, start), scale }, start);
}

/** "… of requests that are errors", "… of requests with status 404". */
function parseShared(parser: Parser): Filter[] | undefined {
  const errors = attempt(parser, (inner) => {
    if (!eat(inner, 'that are', 'which are', 'are', 'were', 'being')) return undefined;
    return parseErrors(inner);
  });
  return errors ? [filterOf(errors)] : parseFilters(parser);
}

function parseErrorRate(parser: Parser): Filter[] | undefined {
  if (norm(parser, 1) !== 'rate' && norm(parser, 1) !== 'percentage') return undefined;
  const noun = parseNoun(parser);
  if (!noun || noun.dimension || noun.filters.length === 0) return undefined;
  return eat(parser, 'rate', 'percentage') ? [...noun.filters] : undefined;
}

function shareOf(
  parser: Parser,
  { filters, word, scale }: { filters: Filter[]; word: string; scale: number },
  start: number,
): NamedMeasure {
  const measure: Measure = {
    name: word,
    aggregate: 'share',
    where: filters,
    scale,
    unit: scale === 100 ? '%' : undefined,
  };
  return { measure, phrase: textFrom(parser, start), isCount: false };
}
