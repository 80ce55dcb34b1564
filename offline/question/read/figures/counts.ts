import { singular } from '../../../language/words.ts';
import { type Condition, columnValue, type Measure, measured } from '../../sql/query.ts';
import { type Column, isAmount } from '../../table/schema.ts';
import { labelOf } from '../columns/name-forms.ts';
import { isCoded, participle } from '../columns/names.ts';
import { isFilled } from '../columns/states.ts';
import { type Captures, looseRule, type Reads, rule, type Source, single } from '../grammar.ts';
import { countWords, distinctWords, totalWords } from '../words.ts';
import { adding, isStock, quantityOf } from './money.ts';

const done = new RegExp(`[ _](?:${participle})$`);

/** Whether a column counts things: its name is a plural such as `tickets_sold`, or a unit. */
function isPieces({ name, words }: Column): boolean {
  const things = name.toLowerCase().replace(done, '');
  return singular(things) !== things || adding.test(words.at(-1) ?? '');
}

/** A measure for the number of rows. */
export const rowCount = (name = 'rows', where: readonly Condition[] = []): Measure => ({
  ...{ fn: 'count', where, name },
});

const counted = `(${countWords}) [the|all|of|them|their|its|it|me|of the|of our|of my|our|my]`;

/** Two kinds of rows by the values of one column: `card orders` and `cash orders`. */
export function pairOf({
  rows: all,
  value: one,
  noun: others,
  condition: other,
}: Partial<Captures>) {
  const [first, ...more] = [all?.where ?? one ?? []].flat();
  const [second, ...rest] = [others?.where ?? other ?? []].flat();
  const { column } = first ?? {};
  const isPair = more.length + rest.length === 0 && column === second?.column;
  return first && second && column && isPair ? { first, second, column } : undefined;
}

/** Counts: `number of orders`, `how many different countries`, `how often`. */
export const counts: readonly Reads<Measure>[] = [
  // `how many different plants`, also of sales of plants with their names
  looseRule(
    `${counted} {start} (${distinctWords}) ({of:dimension}|{noun})`,
    ({ of, start, end }, source) => {
      const label = labelOf(source.table);
      const value = of ?? (label && !isCoded(label) ? columnValue(label) : undefined);
      return value && measured('distinct', value, source.textOf(start, end));
    },
  ),
  rule(`${counted} {rows}`, ({ rows: { where, text } }) => rowCount(text, where)),
  rule('word:(how many|how much|number of) {column}', ({ column: own, word }, source) => {
    if (!own.column || !isAmount(own.column)) return undefined;
    const isTotal = source.tokens.some(({ norm }) => totalWords.test(norm));
    if (word === 'how much' || isTotal || isPieces(own.column))
      return measured('sum', own, `total ${own.words}`);
    const means = [`total ${own.words}`, `number of different ${own.words}`];
    const problem = `may be a sum or a number. Say "${means.join('" or "')}".`;
    return source.ambiguous(`${word} ${own.words}`, problem, { means });
  }),
  rule(`${counted} {start} {of:dimension}`, ({ of, start, end }, source) => {
    const text = source.textOf(start, end);
    if (of.column && isAmount(of.column)) return undefined;
    // `how many offers`, with a column for the time of each offer
    // Rooms with `last_cleaned` were clean once.
    if (of.column?.isTime && (of.column.words[0] === 'last' || of.column.link)) return undefined;
    return of.column?.isTime && !of.part
      ? rowCount(text, [isFilled(of)])
      : measured('distinct', of, text);
  }),
  // `how many watering cans do we have left`
  looseRule(
    `how many ({value}|{value:partOfValues}|{noun}) [are|do we|have we|is] [have|got] [still] (left|in stock|on hand|remaining|available)`,
    ({ value: kind }, { table }) => {
      const own = single(table.columns.filter(isStock));
      const where = kind ? [kind] : [];
      return own && { ...measured('sum', columnValue(own), `total ${own.name}`), where };
    },
  ),
  // `how many more card orders than cash orders`, `how many more kg of beans than kale`
  looseRule(
    'how word:(many|much) more [{column} (of|from|by)] ({rows}|{value}) than [of|from|by] ({noun:rows}|{condition:value})',
    ({ word, column: own, ...kinds }) => {
      const { first, second } = pairOf(kinds) ?? {};
      const isCounted = own ? own.column && isAmount(own.column) : word === 'many';
      if (!first || !second || !isCounted) return undefined;
      const words = `${own ? `${own.words} ` : ''}where ${first.words} minus ${second.words}`;
      const sql = `${own ? `coalesce(${own.sql}, 0) * ` : ''}((${first.sql}) - (${second.sql}))`;
      return measured('sum', { sql, words }, `more ${first.value} than ${second.value}`);
    },
  ),
  looseRule(
    'how many ({value:valueList}|{partOfValues})',
    ({ value, partOfValues, from, end }, source) => {
      const [kind, units] = [value ?? partOfValues, quantityOf(source.table)];
      const text = source.textOf(from + 2, end);
      if (!kind || !(units ?? value)) return undefined;
      if (!units) return rowCount(text, [kind]);
      if (isSoldInTotal.test(source.normOf(end)))
        return { ...measured('sum', columnValue(units), `total ${units.name}`), where: [kind] };
      const means = `"number of rows with ${kind.words}" or "total ${units.name} where ${kind.words}"`;
      return source.ambiguous(
        `how many ${text}`,
        `may be a number of rows or a sum. Say ${means}.`,
      );
    },
  ),
  rule('word:(count|how many [are there|are they])', ({ word, end }, source) =>
    isEndOfCount(source, word, end) ? rowCount() : undefined,
  ),
  rule(
    '(how often|how many times) (did|do|does|was|were|is|are|am|have|has) [we|i|they|you|it]',
    () => rowCount('times'),
  ),
];

/** Pieces are sold, not rows: `how many jars did we sell altogether`. */
const isSoldInTotal =
  /^did (?:we|i|you|they) (?:sell|order|buy) (?:altogether|in total|in all|overall)\b/;

/** Whether `count` without an object counts rows: nothing, a grouping or a place must follow. */
function isEndOfCount(source: Source, word: string, end: number): boolean {
  const kind = source.tokens[end]?.kind;
  if (kind === undefined || kind === 'file') return true;
  if (word === 'how many') return false;
  const next = word === 'count' ? /^(?:by|per|for|in|and|from|of|each|where)$/ : /^in$/;
  return kind === 'mark' || next.test(source.wordAt(end));
}

/** Shares and percentages: of rows with a condition, of a group in the whole, of one column in another one. */
export const shares: readonly Reads<Measure>[] = [
  // `donated as a percentage of the weight`, `what percent of kg was donated`
  rule(
    '({of2:column} as [a|the] (percentage|percent|share) of [the|total|our] [total] {of:column}|(what|which|how much|percentage|percent|share) [percentage|percent|share] of [the|all|our|total] [total] ({of:column}|{rows}|{text}) (was|were|is|are|did we|have we|do we) {of2:column})',
    ({ of, of2 }, { table }) => {
      const part = of2?.column;
      const unit = part?.words.at(-1);
      const others = table.columns.filter(
        (own) => own !== part && isAmount(own) && own.words.at(-1) === unit,
      );
      const whole = of ?? (others.length === 1 && others[0] ? columnValue(others[0]) : undefined);
      if (!of2 || !part || !isAmount(part) || !whole?.column || !isAmount(whole.column))
        return undefined;
      return {
        ...measured('ratio', of2, `% ${of2.words} of ${whole.words}`),
        per: whole,
        percent: 100,
      };
    },
  ),
  rule(
    '[what|which] (percentage of|percent of|share of|proportion of|fraction of|% of) [the|all|our|my] {rows}',
    ({ rows: all }) => ({ ...measured('share', undefined, `% ${all.text}`), where: all.where }),
  ),
  rule(
    '[what|which] (percentage of|percent of|share of|proportion of|% of) [the|our|my] [total] {of:column}',
    ({ of, from }, { tokens }) =>
      of.column && isAmount(of.column) && tokens[from - 2]?.norm !== 'as'
        ? measured('share', of, `% ${of.words}`)
        : undefined,
  ),
];
