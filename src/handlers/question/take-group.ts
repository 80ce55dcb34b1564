import { type Draft, nextDraft, type Reader } from './draft.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseHaving } from './parse-having.ts';
import { eat, listOf } from './parser.ts';
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

/** "for each brand with at least 2 products": a condition on the groups. */
export function takeHaving({ parser, current }: Reader): boolean {
  if (current.groupBy.length === 0) return false;
  const having = parseHaving(parser);
  if (!having) return false;
  current.having.push(having);
  current.last = 'other';
  return true;
}
