import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import type { Source } from '../grammar.ts';

/** Words that are too general to stand for a longer column name. */
export const general =
  /^(?:name|id|date|time|number|total|count|value|type|key|first|last|line|row|code|max|min|on|at|in|by|to|of)$/;

/** Whether a name is the phrase, possibly abbreviated or written as one word: `kick off` for `kickoff`. */
export function sameAs(phrase: string): (name: string) => boolean {
  const joined = (text: string) => text.replace(/ /g, '');
  const [short, whole] = [shortened(phrase), phrase.includes(' ') ? joined(phrase) : undefined];
  return (name) => shortened(name) === short || joined(name) === whole;
}

const shortened = (name: string) =>
  name.replace(/\b(m(?:in|ax))imum\b/g, '$1').replace(/ (?:no|nr|num)$/, ' number');

/** Whether the end of a name is short for a phrase: `acc` for `accuracy`. */
export const isShortFor = (short: string, phrase: string): boolean =>
  /^\w{6,}(?<!ing)$/.test(phrase) &&
  short.length > 2 &&
  !general.test(short) &&
  short !== phrase &&
  phrase.startsWith(short);

/** The same value as a number: `duration_ms` for `duration` in the text of a log. */
export function inNumbers(value: Value, { columns }: Table): Value {
  const own = columns.find(
    ({ name, isNumber }) => isNumber && name === `${value.words}_ms` && !value.column?.isNumber,
  );
  return own ? columnValue(own, value.meaning && `${value.meaning} = ${own.name}`) : value;
}

/**
 * Whether a name is the field of an object, by the words behind it: `the port of the database`, `what port does the database
 * use`. In rows, `the name of the customer` may be the name of each customer's row.
 */
export function isFieldOf(
  { isPart, words: [of, ...rest] }: Column,
  phrase: string,
  source: Source,
  end: number,
): boolean {
  if (source.table.rows !== 1 || !isPart || rest.join(' ') !== phrase) return false;
  const object = source.tokens[source.skipArticles(end + 1)]?.stem;
  return object === of && /^(?:of|in|for|does|do)$/.test(source.wordAt(end));
}

/** The column that labels rows: `name`, `title`, `course name`, or a first column without repetitions. */
export function labelOf({ columns, nouns, rows, format }: Table): Column | undefined {
  const isNamed = (pattern: RegExp) => columns.find(({ words }) => pattern.test(words.join(' ')));
  const [first] = columns;
  return (
    isNamed(format === 'log' ? /^message$/ : /^(?:name|title)$/) ??
    (nouns.size > 0
      ? isNamed(new RegExp(`^(?:${[...nouns].join('|')})(?: name| title)?$`))
      : undefined) ??
    (first?.values.size === rows ? first : undefined)
  );
}

/** The column that labels rows, if several rows have the same label: the title of a loan. */
export function repeatedLabel(table: Table): Value | undefined {
  const label = labelOf(table);
  return label && label.values.size < table.rows ? columnValue(label) : undefined;
}

/** Words that may follow the name of a column: `fuel type` means `fuel`, `phone number` means `phone`. */
export const columnLabels = ({ columns }: Table, { isNumber, words }: Column): readonly string[] =>
  [
    isNumber
      ? 'number|price|score|point|level|length|speed|count|size|reading|figure|value|money'
      : 'number|address|method',
    ...(!isNumber && words.at(-1) !== 'id' ? ['type|size|kind'] : []),
    ...(words[0] === 'staff' ? ['member'] : []),
    ...(isNumber && /^(?:usd|eur|gbp|chf)$/.test(words.at(-1) ?? '')
      ? ['cost|amount|charge|pay']
      : []),
  ]
    .flatMap((all) => all.split('|'))
    .filter((label) => !columns.some((own) => own.words.includes(label)))
    .flatMap((label) => [label, label === 'address' ? 'addresses' : `${label}s`]);
