import { type Draft, nextDraft, type Reader } from './draft.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseHaving, type SaidHaving } from './parse-having.ts';
import { attempt, eat, listOf, type Parser } from './parser.ts';
import { phrases } from './phrases.ts';

const groupWords =
  phrases(`grouped by|group by|group them by|group it by|group the results by|broken down by|aggregated by
  aggregate by|split by|for each|for every|in each|in every|of each|within each|per|by|each|every|with each`);

/** `per endpoint`, `by status and method`, `for each Category`. */
export function takeGroup(reader: Reader): boolean {
  const { parser } = reader;
  if (!eat(parser, ...groupWords)) return false;
  const dimensions = listOf(
    parser,
    (inner) => {
      eat(inner, 'per', 'by', 'each');
      return parseDimension(inner);
    },
    [', and then by', 'and then by', ', then by', 'then by', ', and', 'and', '/'],
  );
  if (!dimensions) return false;
  const draft = splitForGroup(reader);
  draft.groupBy.push(...dimensions);
  draft.measuresAtGroup = draft.measures.length;
  draft.last = 'group';
  draft.isClosed = false;
  return true;
}

/** "errors per endpoint and requests per client": a measure that came after the first grouping belongs to the second. */
function splitForGroup(reader: Reader): Draft {
  const { current } = reader;
  const isSecond = current.groupBy.length > 0 || current.ranking?.noun.dimension !== undefined;
  const since = current.measures.length - current.measuresAtGroup;
  if (!isSecond || since <= 0 || (current.measuresAtGroup === 0 && !current.ranking))
    return current;
  const moved = current.measures.splice(current.measuresAtGroup);
  const draft = nextDraft(reader);
  draft.measures.push(...moved);
  draft.verb = current.verb;
  return draft;
}

/** "for brands with at least two products", "only months with …": about what is grouped by. */
function parseGroupCondition(parser: Parser, { groupBy }: Draft): SaidHaving | undefined {
  if (!eat(parser, 'but only for', 'only for', 'but only', 'only', 'for', 'of')) return undefined;
  const dimension = parseDimension(parser);
  const isGrouped = groupBy.some(({ name }) => name === dimension?.name);
  return isGrouped ? parseHaving(parser) : undefined;
}

/** "for each brand with at least 2 products": a condition on the groups. */
export function takeHaving({ parser, current }: Reader): boolean {
  if (current.groupBy.length === 0) return false;
  const having =
    attempt(parser, (inner) => parseGroupCondition(inner, current)) ?? parseHaving(parser);
  if (!having) return false;
  current.having.push(having);
  current.last = 'other';
  return true;
}
