import type { Value } from '../sql/query.ts';
import { either, type Reads, rule } from './grammar.ts';

const verbs =
  '[did|does|do|was|is|has|had] [it|they|he|she|that] [take|took|cost|got|get|made|make|was|is|happen|happened|occur|belong] [it|to|that]';

/** Further values of what comes first: `…, and who made it?`, `and which run got it`, `and how often`. */
export const extras: Reads<true> = either(
  rule(`[,] and (which|what) {column} ${verbs}`, ({ column: own }, { query }) => {
    const [measure] = query.measures;
    const isExtreme = measure && /^m(?:in|ax)$/.test(measure.fn) && query.groups.length > 0;
    if (isExtreme && query.measures.length === 1) {
      const direction = measure.fn === 'max' ? 'desc' : 'asc';
      query.rank = { direction, word: measure.name, by: measure.of, count: 1 };
      query.measures = [];
      query.subject = 'rows';
      query.columns = [...query.groups, own, measure.of as Value];
      return true;
    }
    if (!query.rank || query.measures.length > 0) return undefined;
    if (query.columns.length > 0) query.columns.push(own);
    return true;
  }),
  rule(
    `[,] and (who|whose|when|where|how long|how much|how many [{of2:column}]) (${verbs}|{text} (it|that|them))`,
    (_found, { query }) => {
      const { rank, columns, subject } = query;
      return rank && columns.length === 0 && (subject === undefined || subject === 'rows')
        ? true
        : undefined;
    },
  ),
  // The rows show all their columns.
  rule(
    '[,] and (when|what|where|how much) (is|are|was|were) (it|they) {column}',
    (_, { query }) => {
      query.subject ??= 'rows';
      return query.columns.length === 0 && query.subject === 'rows' ? true : undefined;
    },
  ),
  rule(
    `[,] and (how often|how many times|its count|their counts?|the count|count) ${verbs}`,
    (_found, { query }) => {
      const by = query.rank?.by;
      return by && 'fn' in by && by.fn === 'count' ? true : undefined;
    },
  ),
);
