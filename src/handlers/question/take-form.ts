import { atClauseStart } from './clause-start.ts';
import { type Draft, hasTarget, nextDraft, noteTarget, type Reader } from './draft.ts';
import { parseCount } from './number-words.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseFilters } from './parse-filter.ts';
import { parseMeasures } from './parse-measure.ts';
import { parseReferences } from './parse-order.ts';
import { parseConvert, parseOutput, parseTarget, writeVerbs } from './parse-output.ts';
import { parseUnit } from './parse-quantity.ts';
import { attempt, eat, isAtEnd, norm, type Parser, partOf, peek, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';
import type { Token } from './tokens.ts';

/** What is said about the form of the answer, its file included. */
export function takeOutput(reader: Reader): boolean {
  const { parser } = reader;
  const start = parser.at;
  const output = parseOutput(parser);
  if (!output) return false;
  if (output.file !== undefined && hasTarget(reader.current)) reader.current.end ??= start;
  const hasFile = reader.current.output.some(({ file }) => file !== undefined);
  const isNext =
    output.file !== undefined && hasTarget(reader.current) && (hasFile || reader.current.isClosed);
  const draft = isNext ? nextDraft(reader) : reader.current;
  if (output.shape && !output.shape.isList) noteTarget(draft);
  draft.output.push(output);
  draft.last = 'other';
  if (output.file !== undefined) draft.isClosed = false;
  return true;
}

/** "Save the ten slowest requests to slow.md": the verb, and later its file. */
export function takeWriteVerb(reader: Reader): boolean {
  const { parser } = reader;
  const start = parser.at;
  const verb =
    atClauseStart(parser) && reader.pendingWrite === undefined
      ? eat(parser, ...writeVerbs)
      : undefined;
  if (verb === undefined) return false;
  if (hasTarget(reader.current)) nextDraft(reader, start);
  reader.pendingWrite = verb;
  return true;
}

export function takeWriteTo(reader: Reader): boolean {
  const { parser, current } = reader;
  if (reader.pendingWrite === undefined || !hasTarget(current)) return false;
  const target = parseTarget(parser);
  if (!target) return false;
  reader.pendingWrite = undefined;
  current.output.push(target);
  current.last = 'other';
  return true;
}

/** `Convert products.csv to JSON`, `Sort products.csv by Price`: all rows are asked for. */
export function takeAllRows({ parser, current }: Reader): boolean {
  const converted = attempt(parser, parseConvert);
  if (converted) {
    noteTarget(current);
    current.isAllRows = true;
    current.output.push(converted.output);
    return true;
  }
  if (!eat(parser, 'sort', 'order')) return false;
  skipArticles(parser);
  const file = peek(parser)?.kind === 'file';
  if (file) parser.at += 1;
  const rows = eat(
    parser,
    'rows of',
    'rows in',
    'lines of',
    'lines in',
    'rows',
    'lines',
    'records',
  );
  if (rows?.includes(' ')) parser.at += peek(parser)?.kind === 'file' ? 1 : 0;
  if ((!file && rows === undefined) || !eat(parser, 'by')) return false;
  const orders = parseReferences(parser, false);
  if (!orders) return false;
  noteTarget(current);
  current.isAllRows = true;
  current.orders.push(...orders);
  return true;
}

/** `as an object mapping each status code to the number of requests`. */
export function takeMapping({ parser, current }: Reader): boolean {
  eat(parser, 'as', 'with', 'containing', 'holding');
  skipArticles(parser);
  eat(parser, 'json');
  if (
    !eat(
      parser,
      'object mapping',
      'map from',
      'mapping from',
      'object from',
      'dictionary from',
      'object that maps',
      'mapping',
      'dictionary mapping',
    )
  )
    return false;
  eat(parser, 'each', 'every', 'the');
  const dimension = parseDimension(parser);
  if (!dimension || !eat(parser, 'to its', 'to their', 'to the', 'to')) return false;
  const measures = parseMeasures(parser);
  if (measures?.length !== 1 || !measures[0]) return false;
  noteTarget(current);
  current.groupBy.push(dimension);
  current.measures.push({ named: measures[0], own: [], noun: undefined, isImplied: false });
  current.measuresAtGroup = current.measures.length;
  current.isMapping = true;
  current.last = 'measure';
  return true;
}

/** `not_found = number of their requests answered with 404`. */
export function takeDefinition({ parser, current }: Reader): boolean {
  const isSaid = eat(parser, 'where', 'with') === 'where';
  const name = peek(parser);
  if (name?.kind !== 'word' && name?.kind !== 'quoted') return false;
  parser.at += 1;
  if (!eat(parser, '=', 'being', 'means', ...(isSaid ? ['is'] : []))) return false;
  skipArticles(parser);
  const measures = parseMeasures(parser);
  const [measure] = measures ?? [];
  if (measures?.length !== 1 || !measure) return false;
  const own = measure.isCount ? (attempt(parser, parseFilters) ?? []) : [];
  const defined = { ...measure.measure, where: [...measure.measure.where, ...own] };
  current.definitions.set(name.text, { ...measure, measure: defined });
  current.last = 'other';
  return true;
}

/** `revenue rounded to 2 decimals`, behind what is asked for. */
export function takeRounded({ parser, current }: Reader): boolean {
  if (!hasTarget(current) && current.output.length === 0) return false;
  skipArticles(parser);
  const words: Token[] = [];
  while (
    peek(parser)?.kind === 'word' &&
    !/^(?:rounded|per|by|of|in|for|with)$/.test(norm(parser)) &&
    words.length < 4
  ) {
    words.push(...parser.tokens.slice(parser.at, parser.at + 1));
    parser.at += 1;
  }
  if (!eat(parser, 'rounded to')) return false;
  const decimals = parseCount(parser);
  if (decimals === undefined || !eat(parser, ...decimalWords)) return false;
  if (words.every(({ norm: word }) => generalWords.has(word))) current.output.push({ decimals });
  else if (isAnotherMeasure(parser, current, words)) return false;
  else current.rounded.push({ words, decimals });
  return true;
}

const decimalWords = phrases('decimal places|decimal place|decimals|decimal');
const generalWords = new Set(
  phrases('all|value|values|number|numbers|figures|the|amounts|and|result|results|everything'),
);

/** "…, average price rounded to 2 decimals" asks for another value. */
function isAnotherMeasure(parser: Parser, { measures }: Draft, words: readonly Token[]): boolean {
  const inner = partOf(parser, words);
  const [found] = parseMeasures(inner, { bare: false }) ?? [];
  const isKnown = measures.some(
    ({ named }) => JSON.stringify(named.measure) === JSON.stringify(found?.measure),
  );
  return found !== undefined && isAtEnd(inner) && !isKnown;
}

/** `in seconds`: the unit of the values. */
export function takeUnit({ parser, current }: Reader): boolean {
  if (!hasTarget(current) || !eat(parser, 'in', 'given in', 'expressed in')) return false;
  const unit = parseUnit(parser);
  if (unit === undefined || current.unit !== undefined) return false;
  current.unit = unit;
  return true;
}

/** `…, top 5`, `only the first ten`: with nothing behind that it could count. */
export function takeLimit({ parser, current }: Reader): boolean {
  if (!hasTarget(current) || !eat(parser, ...limitWords)) return false;
  const limit = parseCount(parser);
  if (limit === undefined || current.limit !== undefined || current.ranking?.limit !== undefined)
    return false;
  eat(parser, 'only', 'rows', 'results', 'entries', 'groups');
  const next = peek(parser);
  if (next !== undefined && next.kind !== 'punct' && next.norm !== 'and') return false;
  current.limit = limit;
  return true;
}

const limitWords =
  phrases(`only show the top|show only the top|show the top|only the top|just the top|the top|top
  only the first|limited to the first|limited to|limit to|limit`);
