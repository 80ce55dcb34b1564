import { escaped } from '../../../language/escape.ts';
import { unitWords } from '../../../language/lexicon.ts';
import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import { type Source, single } from '../grammar.ts';

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
  name.replace(/\b(m(?:in|ax))imum\b/g, '$1').replace(/ (?:id|no|nr|num)$/, ' number');

/** Whether the end of a name is short for a phrase: `acc` for `accuracy`. */
export const isShortFor = (short: string, phrase: string): boolean =>
  /^\w{6,}(?<!ing)$/.test(phrase) &&
  short.length > 2 &&
  !general.test(short) &&
  short !== phrase &&
  phrase.startsWith(short);

/** Whether a name is another one, possibly with a unit behind it. */
export const isInUnits = (own: string, name: string, unit = anyUnit): boolean =>
  own === name || (own.startsWith(`${name} `) && unit.test(own.slice(name.length + 1)));

const anyUnit = new RegExp(`^(?:${unitWords})$`);

/** Units without currencies: a synonym must not change which money is meant. */
export const measuredIn = new RegExp(`^(?:${unitWords.replace(/usd.*chf\|/, '')})$`);

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

/** The amount of what all rows hold, if another column tells its kind: `honey` is the `kg`, with a `honey_type`. */
export const heldIn = ({ columns, nouns }: Table, phrase: string): Column | undefined =>
  !nouns.has(phrase) &&
  columns.some(({ words }) =>
    new RegExp(`^${escaped(phrase)} (?:type|kind|sort|variety)$`).test(words.join(' ')),
  )
    ? single(columns.filter(({ isNumber, words }) => isNumber && masses.test(words.at(-1) ?? '')))
    : undefined;

const masses = /^(?:kg|g|gram|tonne|litre|liter|l|ml|kwh|m3)$/;

const ofOne =
  /^(?:(?:what (?:is|was)|show|show me|tell me|give me) )?the date of (?!.*(?:\w{2}est|most|last|first|top|all|each|every)\b)/;

/** The date of the rows themselves, not of what became of them: `issued_on` beside `paid_on`. */
function dateOf({ table: { columns }, tokens }: Source, phrase: string): Column | undefined {
  const isOfOne = ofOne.test(tokens.map(({ norm }) => norm).join(' '));
  const times =
    phrase === 'date' && isOfOne ? columns.filter(({ isTime, link }) => isTime && !link) : [];
  const isLater = ({ hasEmpty, words: [word = ''] }: Column) =>
    hasEmpty || /^(?:due|until|end|deadline|expir\w*|valid|next|last)$/.test(word);
  return single(times) ?? single(times.filter((own) => !isLater(own)));
}

/** The column that a singular means without naming it: `honey` for `kg`, `date` for `issued_on`. */
export const unnamedColumn = (source: Source, word: string, said: string): Column | undefined =>
  said.toLowerCase() === word ? (heldIn(source.table, word) ?? dateOf(source, word)) : undefined;
