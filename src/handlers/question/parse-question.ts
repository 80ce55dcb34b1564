import { createDraft, type Draft, hasTarget, nextDraft, type Reader } from './draft.ts';
import { parseColumn } from './find-column.ts';
import { parseCount } from './number-words.ts';
import { parseDeclaration } from './parse-declaration.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseFilters } from './parse-filter.ts';
import { parseMeasures } from './parse-measure.ts';
import { parseOrder } from './parse-order.ts';
import { parseOutput } from './parse-output.ts';
import {
  attempt,
  eat,
  goBack,
  isAtEnd,
  listOf,
  norm,
  type Parser,
  peek,
  skipArticles,
} from './parser.ts';
import { eatVerb, takeTarget } from './take-target.ts';

/** The questions of an instruction, and the words that no rule could place. */
export interface Reading {
  readonly drafts: readonly Draft[];
  readonly leftover: readonly string[];
}

/** Reads a whole instruction: every token is taken by a rule, is in the list of words without meaning, or is left over. */
export function readInstruction(parser: Parser): Reading {
  const first = createDraft(parser.at);
  const reader: Reader = { parser, drafts: [first], current: first };
  const leftover: string[] = [];
  while (!isAtEnd(parser)) {
    const start = parser.at;
    if (takeItem(reader) && parser.at > start) continue;
    const token = peek(parser);
    if (token && /[\p{L}\p{N}]/u.test(token.text)) leftover.push(token.text);
    else if (token && !/^[-–—"'&]$/.test(token.text)) leftover.push(token.text);
    parser.at = start + 1;
  }
  return { drafts: reader.drafts, leftover };
}

/** Tried in this order; the first that takes something wins. */
const items: readonly ((reader: Reader) => boolean)[] = [
  takeSeparator,
  takeDeclaration,
  takeInput,
  takeMapping,
  takeOutput,
  takeDefinition,
  takeRounded,
  takeOrder,
  takeGroup,
  eatVerb,
  takeFilter,
  takeTarget,
  takeStopWord,
];

function takeItem(reader: Reader): boolean {
  const { parser } = reader;
  for (const item of items) {
    const start = parser.at;
    const meanings = parser.meanings.size;
    if (item(reader)) {
      for (const meaning of [...parser.meanings].slice(meanings))
        reader.current.meanings.add(meaning);
      return true;
    }
    goBack(parser, start, meanings);
  }
  return false;
}

function takeDeclaration({ parser, current }: Reader): boolean {
  if (!atSentenceStart(parser) || !parseDeclaration(parser)) return false;
  if (!hasTarget(current) && current.output.length === 0) {
    eat(parser, '.', ';');
    current.start = parser.at;
  }
  return true;
}

function atSentenceStart(parser: Parser): boolean {
  const before = peek(parser, -1);
  return (
    before === undefined || ['.', ';', ':', ')'].includes(before.text) || before.norm === 'and'
  );
}

function takeSeparator({ parser, current }: Reader): boolean {
  const mark = eat(parser, '.', ';', '!', '?', ',', ':', '(', ')');
  if (mark === undefined) return false;
  if ('.;!?'.includes(mark)) current.isClosed = true;
  if (mark === ',') current.last = current.last === 'measure' ? 'other' : current.last;
  return true;
}

const fileNouns = [
  'sqlite database file',
  'sqlite database',
  'database file',
  'access log',
  'log file',
  'logfile',
  'csv file',
  'json file',
  'sqlite file',
  'data set',
  'dataset',
  'database',
  'web server log',
  'server log',
  'apache log',
  'nginx log',
  'file',
  'log',
  'csv',
  'table',
  'data',
  'json lines file',
  'json',
];

/** `in access.log`, `using the SQLite database shop.db`, `of the log`. */
function takeInput({ parser }: Reader): boolean {
  const link = eat(
    parser,
    'in',
    'from',
    'of',
    'using',
    'for',
    'on',
    'with',
    'inside',
    'within',
    'at',
    'across',
    'over',
    'read',
    'reading',
    'load',
    'open',
    'analyse',
    'analyze',
    'take',
    'given',
    'look at',
    'based on',
  );
  skipArticles(parser);
  const noun = eat(parser, ...fileNouns);
  eat(parser, 'named', 'called', 'at');
  if (peek(parser)?.kind === 'file') {
    parser.at += 1;
    eat(parser, 'file', 'log', 'database');
    return true;
  }
  return link !== undefined && noun !== undefined && !isColumnNext(parser);
}

const isColumnNext = (parser: Parser): boolean => parseColumn({ ...parser }) !== undefined;

function takeOutput(reader: Reader): boolean {
  const { parser } = reader;
  const start = parser.at;
  const output = parseOutput(parser);
  if (!output) return false;
  if (output.file !== undefined && hasTarget(reader.current)) reader.current.end ??= start;
  const hasFile = reader.current.output.some(({ file }) => file !== undefined);
  const isNext =
    output.file !== undefined && hasTarget(reader.current) && (hasFile || reader.current.isClosed);
  const draft = isNext ? nextDraft(reader) : reader.current;
  draft.output.push(output);
  draft.last = 'other';
  if (output.file !== undefined) draft.isClosed = false;
  return true;
}

/** `as an object mapping each status code to the number of requests`. */
function takeMapping({ parser, current }: Reader): boolean {
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
  current.groupBy.push(dimension);
  current.measures.push({ named: measures[0], own: [], noun: undefined, isImplied: false });
  current.measuresAtGroup = current.measures.length;
  current.isMapping = true;
  current.last = 'measure';
  return true;
}

/** `not_found = number of their requests answered with 404`. */
function takeDefinition({ parser, current }: Reader): boolean {
  eat(parser, 'where', 'with');
  const name = peek(parser);
  if (name?.kind !== 'word' && name?.kind !== 'quoted') return false;
  parser.at += 1;
  if (!eat(parser, '=', 'being', 'means', 'is')) return false;
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

/** `revenue rounded to 2 decimals`. */
function takeRounded({ parser, current }: Reader): boolean {
  skipArticles(parser);
  const words = [];
  while (peek(parser)?.kind === 'word' && norm(parser) !== 'rounded' && words.length < 5) {
    const token = peek(parser);
    if (token) words.push(token);
    parser.at += 1;
  }
  if (!eat(parser, 'rounded to')) return false;
  const decimals = parseCount(parser);
  if (
    decimals === undefined ||
    !eat(parser, 'decimal places', 'decimal place', 'decimals', 'decimal')
  )
    return false;
  const isAll = words.every(({ norm: word }) =>
    /^(?:all|values?|numbers?|figures?|the|amounts?|and|results?)$/.test(word),
  );
  if (isAll) current.output.push({ decimals });
  else current.rounded.push({ words, decimals });
  return true;
}

function takeOrder({ parser, current }: Reader): boolean {
  const orders = parseOrder(parser);
  if (!orders) return false;
  current.orders.push(...orders);
  current.last = 'other';
  return true;
}

const groupWords = [
  'grouped by',
  'group by',
  'group them by',
  'group it by',
  'group the results by',
  'broken down by',
  'aggregated by',
  'aggregate by',
  'split by',
  'for each',
  'for every',
  'in each',
  'in every',
  'of each',
  'within each',
  'per',
  'by',
  'each',
  'every',
  'with each',
];

function takeGroup(reader: Reader): boolean {
  const { parser } = reader;
  if (!eat(parser, ...groupWords)) return false;
  const dimensions = listOf(
    parser,
    (inner) => (eat(inner, 'per', 'by', 'each'), parseDimension(inner)),
    [', and', 'and', '/'],
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

function takeFilter({ parser, current }: Reader): boolean {
  const filters = parseFilters(parser);
  if (!filters) return false;
  const measure = current.last === 'measure' ? current.measures.at(-1) : undefined;
  if (measure) measure.own.push(...filters);
  else current.filters.push(...filters);
  return true;
}

/** Words without a meaning of their own here. Nothing that negates, limits, compares or joins tables may be added. */
const stopWords = [
  'the',
  'a',
  'an',
  'all',
  'please',
  'me',
  'us',
  'and',
  'then',
  'also',
  'finally',
  'there',
  'their',
  'its',
  'is',
  'are',
  'was',
  'were',
  'do',
  'does',
  'did',
  'have',
  'has',
  'been',
  'in total',
  'overall',
  'now',
  'first of all',
  'i',
  'want',
  'need',
  'would like',
  'can you',
  'could you',
  'together with',
  'as well as',
  'along with',
  'to know',
  'to see',
  'with their',
];

function takeStopWord({ parser }: Reader): boolean {
  return eat(parser, ...stopWords) !== undefined;
}
