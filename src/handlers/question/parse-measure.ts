import { nameParts } from './name-parts.ts';
import { type NamedMeasure, textFrom } from './named-measure.ts';
import { aggregated, convert, parseAggregateList } from './parse-aggregate.ts';
import { countOf, parseCounted } from './parse-count.ts';
import { columnOfExpression, parseExpression } from './parse-expression.ts';
import { parseNoun } from './parse-noun.ts';
import { parseShare } from './parse-share.ts';
import { attempt, eat, type Parser, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';

/** One or more measures that stand here: `the number of errors`, `sum of Price*Stock`, `min, mean and max duration`. */
export function parseMeasures(
  parser: Parser,
  options = { bare: true },
): NamedMeasure[] | undefined {
  return (
    attempt(parser, parseAggregateList) ??
    attempt(parser, (inner) => asList(parseCounted(inner))) ??
    attempt(parser, (inner) => asList(parseShare(inner))) ??
    (options.bare ? attempt(parser, (inner) => asList(parseBare(inner))) : undefined)
  );
}

const asList = (measure: NamedMeasure | undefined): NamedMeasure[] | undefined =>
  measure && [measure];

/** Amounts that add up when rows are grouped. */
const additive =
  phrases(`precipitation|rainfall|rain|snow|snowfall|amount|quantity|qty|revenue|sale|turnover|byte|total
  traffic|bandwidth|unit sold|sold`);

/** A noun alone: `errors`, `requests`, `bytes`, `precipitation`. */
function parseBare(parser: Parser): NamedMeasure | undefined {
  skipArticles(parser);
  const start = parser.at;
  const noun = attempt(parser, parseNoun);
  if (noun && !noun.dimension) {
    eat(parser, 'count', 'counts');
    return { measure: countOf(noun), phrase: textFrom(parser, start), isCount: true };
  }
  if (noun?.isDistinct) {
    return {
      measure: {
        name: noun.phrase,
        aggregate: 'distinct',
        argument: noun.dimension?.expression,
        where: [],
      },
      phrase: noun.phrase,
      isCount: true,
    };
  }
  parser.at = start;
  const found = parseExpression(parser);
  if (!found || found.kind === 'number') return undefined;
  const text = textFrom(parser, start);
  const column = columnOfExpression(parser, found);
  if (column && column.type !== 'number') return undefined;
  const isAdditive = [text, column?.name ?? ''].some((name) =>
    additive.includes(nameParts(name).at(-1) ?? ''),
  );
  if (!isAdditive && column?.role !== 'bytes') return undefined;
  parser.meanings.add(`${text} = sum of ${column?.name ?? text}`);
  const converted = convert(parser, found);
  return {
    measure: aggregated(parser, { aggregate: 'sum', word: 'sum' }, converted, text),
    phrase: text,
    isCount: false,
  };
}
