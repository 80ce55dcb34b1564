import { emptyWords, exceptWords, filledWords } from '../../language/lexicon.ts';
import type { Condition } from '../sql/query.ts';
import type { Column } from '../table/schema.ts';
import { eatValue, equals } from './eat-value.ts';
import { compared, comparedFirst, isComparisonAt, range } from './read-comparison.ts';
import { eatColumn, eatLogMeaning, eatRowNoun } from './read-names.ts';
import { aboutText, textCondition, textIn } from './read-text.ts';
import { timeCondition } from './read-time.ts';
import { valueList, valuesOf } from './read-values.ts';
import { attempt, eat, isHowOften, peek, type Reader, skip } from './reader.ts';

const leads = [
  'where',
  'with',
  'whose',
  'having',
  'that',
  'which',
  'who',
  'for',
  'in',
  'from',
  'of',
  'is',
  'are',
  'was',
  'were',
  'have',
  'has',
  'had',
  'only',
  'made by',
  'made in',
  'when',
  'if the',
  'on',
  'by',
  'and',
  'status',
  'at',
  'the',
  'a',
  'an',
  'to',
  'with a',
  'rows',
  'ones',
  'be',
  'to the',
  'responses',
  'answered',
  'ended',
  'returned',
  'returning',
  'kind',
  'type',
  'work in',
  'works in',
  'live in',
  'lives in',
  'belong to',
  'belongs to',
];

/** One condition, or several joined by `or`: `where amount > 50`, `from DE or FR`, `since March 2024`. */
export function eatCondition(reader: Reader): Condition | undefined {
  const first = attempt(reader, oneCondition);
  if (!first) return undefined;
  const all = [first];
  for (;;) {
    const next = attempt(reader, (inner) =>
      eat(inner, ['or', ', or']) ? oneCondition(inner) : undefined,
    );
    if (!next) break;
    all.push(next);
  }
  if (all.length === 1) return first;
  return {
    sql: `(${all.map(({ sql }) => sql).join(' OR ')})`,
    words: all.map(({ words }) => words).join(' or '),
  };
}

function oneCondition(reader: Reader): Condition | undefined {
  const excluded = attempt(reader, exception);
  if (excluded) return excluded;
  const start = reader.at;
  for (let skipped = 0; skipped < 5; skipped += 1) {
    const found = bareCondition(reader);
    if (found) return found;
    if (eat(reader, leads) === undefined) break;
  }
  reader.at = start;
  return undefined;
}

const bareCondition = (reader: Reader): Condition | undefined =>
  attempt(reader, timeCondition) ??
  attempt(reader, columnCondition) ??
  attempt(reader, comparedFirst) ??
  attempt(reader, flagged) ??
  attempt(reader, happened) ??
  attempt(reader, subjectText) ??
  attempt(reader, textIn) ??
  attempt(reader, aboutText) ??
  attempt(reader, relatedRows) ??
  attempt(reader, lacking) ??
  attempt(reader, eatLogMeaning) ??
  attempt(reader, statusCode) ??
  attempt(reader, valueList);

/** `404` in a log is a status. */
export function statusCode(reader: Reader): Condition | undefined {
  const token = peek(reader);
  if (!reader.table.isLog || token?.kind !== 'number' || !/^[1-5]\d\d$/.test(token.text))
    return undefined;
  reader.at += 1;
  eat(reader, ['errors', 'responses', 'error', 'response', 's']);
  return { sql: `status = ${token.text}`, words: `status is ${token.text}` };
}

/** Values before the word for a row: `POST requests`, `paid orders`. */
export function readAdjectives(reader: Reader): Condition[] {
  const found: Condition[] = [];
  for (;;) {
    const next = attempt(reader, (inner) => {
      const condition = eatLogMeaning(inner) ?? attempt(inner, isTrue) ?? eatValue(inner);
      const { at } = inner;
      const isBeforeNoun =
        condition !== undefined &&
        (eatRowNoun(inner) || eatLogMeaning(inner) !== undefined || eatValue(inner) !== undefined);
      inner.at = at;
      return isBeforeNoun ? condition : undefined;
    });
    if (!next) return found;
    found.push(next);
  }
}

/** `approved`, of a column of yes and no. */
function isTrue(reader: Reader): Condition | undefined {
  const column = eatColumn(reader);
  return column?.truth && equals(column, column.truth[0]);
}

/** `except DE`, `excluding the paid ones`, `other than country DE` */
function exception(reader: Reader): Condition | undefined {
  const { at } = reader;
  eat(reader, ['that are', 'which are', 'who are', 'are', 'is', 'where', 'and', ',']);
  if (!eat(reader, exceptWords)) {
    reader.at = at;
    return undefined;
  }
  skip(reader, ['for', 'the', 'those', 'ones', 'from', 'with', 'in', 'of', 'orders', 'rows']);
  const inner = columnCondition(reader) ?? eatLogMeaning(reader) ?? valueList(reader);
  if (!inner) return undefined;
  eat(reader, ['ones', 'rows', 'entries']);
  return { sql: `NOT (${inner.sql})`, words: `not (${inner.words})` };
}

const toBe = ['have been', 'has been', 'were', 'was', 'are', 'is', 'have', 'has'];

/** `that are active`, `not ok`: a column of true and false. */
function flagged(reader: Reader): Condition | undefined {
  eat(reader, ['that', 'which', 'who', 'where']);
  const verb = eat(reader, toBe);
  const isNot = eat(reader, ['not']) !== undefined;
  const column = eatColumn(reader);
  const isSaid = verb !== undefined || isNot;
  if (!isSaid || !column?.truth || isComparisonAt({ ...reader })) return undefined;
  return equals(column, column.truth[isNot ? 1 : 0]);
}

/** `that have not been returned yet`: the column of its date is empty. */
function happened(reader: Reader): Condition | undefined {
  eat(reader, ['that', 'which', 'who']);
  const isNot =
    eat(
      reader,
      toBe.flatMap((verb) => splitNot(verb)),
    ) !== undefined
      ? true
      : eat(reader, toBe) === undefined
        ? undefined
        : false;
  if (isNot === undefined) return undefined;
  eat(reader, ['yet', 'already', 'still']);
  const column = eatColumn(reader);
  const isParticiple = /(?:ed|en|id)$/.test(column?.words.join(' ').split(' ')[0] ?? '');
  if (!column?.isTime || !isParticiple || isComparisonAt({ ...reader })) return undefined;
  const next = peek(reader);
  if (next?.kind === 'date' || next?.kind === 'number' || next?.norm === 'in') return undefined;
  eat(reader, ['yet', 'already']);
  return emptiness(column, isNot);
}

/** `have not been`, `haven't been`, `were not yet`. */
function splitNot(verb: string): readonly string[] {
  const [first = '', ...rest] = verb.split(' ');
  const tail = rest.map((word) => ` ${word}`).join('');
  return [
    `${first} not yet${tail}`,
    `${first} not${tail}`,
    `${first}n't${tail}`,
    `${first} never${tail}`,
  ];
}

/** `products starting with C`: a condition on the requested values. */
function subjectText(reader: Reader): Condition | undefined {
  const { subject } = reader.query;
  const column = subject === undefined || subject === 'rows' ? undefined : subject.column;
  return column && !column.isNumber ? textCondition(reader, column) : undefined;
}

const withSome = [
  'with',
  'who have',
  'that have',
  'which have',
  'have',
  'having',
  'who placed',
  'that placed',
];

const withNone = [
  ...[
    'without any',
    'without an',
    'without a',
    'without',
    'with no',
    'who have no',
    'that have no',
  ],
  ...['which have no', 'have no', 'having no', 'who have never placed', 'who never placed'],
  ...['who have not placed any', 'who did not place any', 'that have never placed', 'never placed'],
];

/** `customers without orders`: whether rows of another table point to a row. */
function relatedRows(reader: Reader): Condition | undefined {
  const isNone = eat(reader, withNone) !== undefined;
  if (!isNone && eat(reader, withSome) === undefined) return undefined;
  skip(reader, ['any', 'some', 'an', 'a', 'the', 'at', 'least', 'one']);
  const { related = [] } = reader.table;
  const found = related.find(({ noun }) => noun === peek(reader)?.stem);
  if (!found || reader.table.nouns.has(found.noun)) return undefined;
  reader.at += 1;
  return isNone
    ? { sql: `NOT ${found.exists}`, words: `there is no ${found.noun}` }
    : { sql: found.exists, words: `there is a ${found.noun}` };
}

/** `without an email`, `missing price` */
function lacking(reader: Reader): Condition | undefined {
  if (
    !eat(reader, ['without an', 'without a', 'without', 'with no', 'missing', 'have no', 'has no'])
  )
    return undefined;
  const column = eatColumn(reader);
  return column && emptiness(column, true);
}

const emptiness = ({ sql, name }: Column, isEmpty: boolean): Condition =>
  isEmpty
    ? { sql: `(${sql} IS NULL OR ${sql} = '')`, words: `${name} is empty` }
    : { sql: `(${sql} IS NOT NULL AND ${sql} <> '')`, words: `${name} is not empty` };

/** `amount above 50`, `name contains "x"`, `status 500`, `country is DE or FR`, `price between 5 and 10` */
function columnCondition(reader: Reader): Condition | undefined {
  skip(reader, ['the', 'a', 'an', 'whose', 'their']);
  const column = eatColumn(reader);
  if (!column || isHowOften(reader)) return undefined;
  eat(reader, [',']);
  if (peek(reader)?.norm === 'of' && isComparisonAt({ ...reader, at: reader.at + 1 }))
    reader.at += 1;
  if (eat(reader, filledWords)) return emptiness(column, false);
  if (eat(reader, emptyWords)) return emptiness(column, true);
  return (
    textCondition(reader, column) ??
    range(reader, column) ??
    compared(reader, column) ??
    timeCondition(reader, column) ??
    valuesOf(reader, column, '=')
  );
}
