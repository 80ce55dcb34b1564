import { type Comparison, groupWords, havingWords } from '../../language/lexicon.ts';
import { singular } from '../../language/words.ts';
import type { Expression } from '../sql/query.ts';
import { eatComparison } from './read-comparison.ts';
import { countedNoun, rowCount } from './read-count.ts';
import { eatMeasure } from './read-measure.ts';
import { eatDimension } from './read-names.ts';
import { attempt, eat, eatNumber, peek, type Reader, skip } from './reader.ts';

/** `with more than one order`, `having a total amount above 100`, `ordered more than once` */
export function readHaving(reader: Reader): boolean {
  skip(reader, ['and', ',']);
  if (!eat(reader, havingWords)) return false;
  skip(reader);
  const op = eatComparison(reader);
  if (op === undefined) return havingMeasure(reader);
  return op !== '=' && havingCount(reader, op);
}

/** `more than once`, `more than 5 orders` */
function havingCount(reader: Reader, op: Comparison): boolean {
  const { query } = reader;
  const often = eat(reader, ['once', 'twice']);
  const value = often === undefined ? eatNumber(reader) : often === 'once' ? 1 : 2;
  if (value === undefined || (query.subject === 'rows' && query.groups.length === 0)) return false;
  const noun = often
    ? rowCount()
    : (attempt(reader, countedNoun) ?? (eat(reader, ['times', 'time']) ? rowCount() : undefined));
  if (noun?.fn !== 'count') return false;
  query.having.push({ measure: { ...noun, name: plural(noun.name) }, op, value });
  return true;
}

/** `a total amount above 100` */
function havingMeasure(reader: Reader): boolean {
  const measure = eatMeasure(reader);
  const op = measure && eatComparison(reader);
  const value = op && eatNumber(reader);
  if (!measure || !op || value === undefined) return false;
  reader.query.having.push({ measure, op, value });
  return true;
}

const plural = (name: string) => (name === singular(name) ? `${name}s` : name);

/** `per country`, `by status and method`, `for each month`, `group the errors by endpoint` */
export function readGroup(reader: Reader): boolean {
  const { query } = reader;
  const isVerb =
    eat(reader, ['group', 'grouped', 'group them', 'grouping', 'tally', 'break down', 'split']) !==
    undefined;
  if (isVerb) groupedNoun(reader);
  if (!eat(reader, groupWords)) return isVerb;
  const found: Expression[] = [];
  do {
    const next = attempt(reader, eatDimension);
    if (!next) break;
    found.push(next);
  } while (attempt(reader, eatAnotherGroup));
  if (found.length === 0) return false;
  const isNew = ({ sql }: Expression) => query.groups.every((group) => group.sql !== sql);
  query.groups.push(...found.filter(isNew));
  query.isGrouped = true;
  return true;
}

/** `group the errors in access.log`: the grouped rows. */
function groupedNoun(reader: Reader): void {
  const { query } = reader;
  query.isGrouped = true;
  if (peek(reader)?.kind === 'file') reader.at += 1;
  skip(reader);
  const noun = attempt(reader, countedNoun);
  if (noun?.fn === 'count') {
    query.where.push(...noun.where);
    query.subject ??= 'rows';
    query.groupNoun = noun.name;
  }
  eat(reader, ['in', 'of', 'from']);
  if (peek(reader)?.kind === 'file') reader.at += 1;
}

/** `and` before another column, which no condition uses. */
const eatAnotherGroup = (reader: Reader): true | undefined =>
  eat(reader, anotherGroup) && attempt({ ...reader }, isAnotherGroup) ? true : undefined;

const anotherGroup = [
  ', and by',
  'and by',
  ', and',
  'and',
  ',',
  'and per',
  ', then by',
  'and for each',
];

/** Behind `and`: a column that no condition, order or calculation uses. */
function isAnotherGroup(reader: Reader): true | undefined {
  const dimension = eatDimension(reader);
  if (!dimension || eatComparison(reader)) return undefined;
  return true;
}

/** `count them`, `count the orders by country` */
export function readCounting(reader: Reader): boolean {
  const { query } = reader;
  const verb = eat(reader, [
    'and count them',
    'count them',
    'count each',
    'and count each',
    'count it',
  ]);
  if (!verb) return false;
  query.measures.push(rowCount(query.groupNoun));
  return true;
}
