import { plainText } from '../../language/escape.ts';
import { TaskError } from '../../task-error.ts';
import { isParticiple } from '../read/columns/names.ts';
import { isOfThings, pieceIn, quantityOf } from '../read/figures/money.ts';
import { persons } from '../read/rows/who.ts';
import { isOfYears } from '../read/times/time-columns.ts';
import { isMeasure } from '../sql/query.ts';
import { type Column, isAmount, isCode } from '../table/schema.ts';
import type { Check } from './asked.ts';

/** Running totals must not be added up. */
const runningTotal: Check = ({ figures, table: { nouns } }) =>
  figures.some(({ fn }) => fn === 'sum') && (nouns.has('meter') || nouns.has('odometer'))
    ? 'Meter readings must not be added up. Ask for the "difference between the highest and the lowest".'
    : undefined;

/** A column that also has text can't be calculated with. */
const oddCells: Check = ({ measures, definitions, table: { columns }, sql }) => {
  const values = [...measures, ...definitions.values()].flatMap(({ of, per }) =>
    [of, per].flatMap((one) => one?.column ?? []),
  );
  const used = sql.slice(sql.indexOf('\nFROM '));
  const column =
    values.find(({ odd }) => odd !== undefined) ??
    columns.find((one) => one.odd !== undefined && used.includes(one.sql));
  return (
    column &&
    `"${column.name}" also has values that are not numbers, such as ${JSON.stringify(plainText(column.odd ?? ''))}. Correct them, or use SQL.`
  );
};

/** Checks that no statement calculates with what has no amount. */
export const numberChecks: readonly Check[] = [runningTotal, oddCells];

/** `busiest` may mean the number of rows or a quantity: `busiest day` in hours.csv. */
const busiestBy: Check = ({ word, ranksByCount, table: { nouns, columns } }) => {
  const own = nouns.size === 0 && ranksByCount ? columns.find(isOfThings) : undefined;
  return own && word(/^busiest$/)
    ? `"busiest" may mean the number of rows or ${own.name}. Say "with the most rows" or "with the most ${own.name}".`
    : undefined;
};

/** Every name is in exactly one row: `who came most often`. */
const eachOnce: Check = ({ rank, own, of, where, ranksByCount, table: { joins, rows } }) => {
  const isPlain = ranksByCount && !of?.part && isMeasure(rank?.by) && rank.by.where.length === 0;
  return own && isPlain && where.length === 0 && !joins && own.values.size === rows
    ? `Each ${own.name} is in only one row, so none occurs more often than others.`
    : undefined;
};

/** Rows without a time are no visits: `which owner came most often`, of a list of pets. */
const notVisits: Check = ({ word, ranksByCount, table: { isLog, columns } }) => {
  const said = word(/^(?:came|comes?|visited|went|stayed|called)$/);
  return said && ranksByCount && !isLog && !columns.some(({ isTime }) => isTime)
    ? `"${said}" is not what these rows record. Name the table.`
    : undefined;
};

/** Each row has a quantity of what is counted: `which share of the tickets` of ticket_sales.csv. */
const pieces: Check = ({ tokens, table, sql }) => {
  const own = quantityOf(table);
  if (!own || !sql.includes('count(*)')) return undefined;
  const key = table.columns.find(
    ({ words: [of = '', id] }) => id === 'id' && tokens.some(({ stem }) => stem === of),
  );
  // With a `member_id`, the rows of member_orders.csv are not members.
  if (key && key.values.size < table.rows && !sql.includes(key.sql))
    return `Several rows are about one ${key.words[0]}. Say "number of rows" or "number of different ${key.name}".`;
  const piece = pieceIn(tokens, table);
  return piece && !persons.test(piece.stem) && !sql.includes(own.sql)
    ? `"${piece.text}" may be rows or their ${own.name}. Say "number of rows" or "total ${own.name}".`
    : undefined;
};

/** A comparison may be about one row or a total: `days with more than 5 hours`, with several rows for each day. */
const ofRowOrTotal: Check = ({ of, where, groups, table }) => {
  if (of === undefined || groups.length > 0) return undefined;
  const compared = where.map(({ sql }) => /^(.+?) [<>]=? /.exec(sql)?.[1]);
  const own = table.columns.find((one) => compared.includes(one.sql) && isOfThings(one));
  return own && of.column?.values.size !== table.rows
    ? `"${own.name}" may mean one row or the total of each ${of.words}. Ask for the rows, or say "total ${own.name} per ${of.words}".`
    : undefined;
};

/** A list of distinct values would drop repeated ones: `litres between June and August`. */
const eachOrTotal: Check = ({ own, isDistinct, groups, measures, rank }) =>
  own && isOfThings(own) && !isDistinct && !rank && groups.length + measures.length === 0
    ? `"${own.name}" may mean the total or each row. Say "total ${own.name}", or ask for the rows.`
    : undefined;

/** A quotient for each group, not two groups: `kilograms per hectare for each field`, `members per staff person at each branch`. */
const ratioOf: Check = ({ text, groups, measures }) => {
  const [direct] = /\bper \w+(?: \w+)? (?:for|of|in|on|at|by) (?:each|every)\b/.exec(text) ?? [];
  const [said] = /\bper \w+.*?\b(?:each|every|per|by)\b/.exec(text) ?? [];
  const isAmong = groups.some(({ column }) => column?.isNumber && isAmount(column));
  const isQuotient = isAmong ? groups.length > 1 || direct : direct && groups.length === 1;
  return said && isQuotient && measures.every(({ fn }) => fn !== 'ratio')
    ? `"${said} …" may mean a quotient or two groups. Say "divided by", or "per … and …".`
    : undefined;
};

const different = /\b(?:different|distinct|unique)\b/;
const passive = /\b(?:was|were|is|are|got|get|been) (\w+)/;
const active =
  /\bhow many \w+ (?:did (?!not\b)|(?:do|have|has) (?:we|i|they|you|he|she) (?!have\b|had\b|got\b))/;

/** What happens to a thing several times may be counted each time: `how many books were borrowed each month`. @throws TaskError `AMBIGUOUS` */
const eventsOrThings: Check = ({ text, measures, table: { rows, path } }) => {
  const counted = measures.find(({ fn }) => fn === 'distinct');
  const own = counted?.of?.column;
  const isDone = isParticiple(passive.exec(text)?.[1] ?? '') || active.test(text);
  if (!own || different.test(text) || !isDone || (!own.link && own.values.size === rows))
    return undefined;
  throw new TaskError(
    'AMBIGUOUS',
    `"${counted.name}" may be counted once, or each time. Say "number of different ${counted.name}" or "number of rows in ${path}".`,
    { isRead: true },
  );
};

/** A number that names a row has no size: `members under 18`, with `member_no`. */
const sizeOfCode: Check = ({ tokens, where, table: { columns } }) => {
  const own = columns.find(
    (one) =>
      isCode(one) &&
      !isOfYears(one) &&
      where.some(({ sql }) => /^(?:[<>]|BETWEEN)/.test(sql.replace(`${one.sql} `, ''))),
  );
  const isNamed = tokens.some(({ stem }) => stem === own?.words.at(-1));
  return own && !isNamed ? `${own.name} names a row and has no size.` : undefined;
};

const noSum =
  /%|percent|\bpct|(?:^|_)(?:ratings?|grades?|ages?|floor|humidity|latitude|longitude|rank)(?:_c)?$/i;

/** Codes have no sum and no mean, and percentages no sum: `total discount`, with `discount_percent`. */
const figureOfCode: Check = ({ figures }) => {
  const found = figures.find(
    ({ fn, of }) =>
      of?.column &&
      ((/^(?:sum|avg|median|stddev|percentile|ratio|share)$/.test(fn) && isCode(of.column)) ||
        (fn === 'sum' && noSum.test(of.column.name))),
  );
  return (
    found &&
    `${found.of?.words} can't be added up or averaged like an amount. Ask for its "highest" or "lowest", or for another column.`
  );
};

/** The share of all rows in all rows is always 100 %. */
const wholeShare: Check = ({ measures, groups, isCompared, of }) =>
  measures.some(({ fn, where }) => fn === 'share' && where.length === 0) &&
  groups.length === 0 &&
  !isCompared &&
  of === undefined
    ? 'The condition of the share is missing. Say "share of … that …", or "share of … per …".'
    : undefined;

/** A noun of rows before a word for money is not their number: `order value per town`. */
const countOrValue: Check = ({ tokens, table: { nouns, columns }, sql }) => {
  const at = tokens.findIndex(({ kind, stem, norm }, at) => {
    const next = tokens[at + 1]?.norm ?? '';
    const isMoney = /^(?:value|amount|worth)s?$/.test(next);
    return (
      kind === 'word' && nouns.has(stem) && (isMoney || (norm === stem && /^totals?$/.test(next)))
    );
  });
  const isOfNumbers = columns.some((own) => isAmount(own) && sql.includes(own.sql));
  return at >= 0 && !isOfNumbers && sql.includes('count(*)')
    ? `"${tokens[at]?.text} ${tokens[at + 1]?.text}" is not a number of rows. Name the column.`
    : undefined;
};

/** Checks that a statement shows the figure or column that the words of the question mean. */
export const figureChecks: readonly Check[] = [
  ...[busiestBy, eachOnce, notVisits, pieces, ofRowOrTotal, eachOrTotal, ratioOf, eventsOrThings],
  ...[sizeOfCode, figureOfCode, wholeShare, countOrValue],
];

/** A column of a joined table would be added once for each row that refers to it. */
const addedAgain: Check = ({ sql, table: { joins = [] } }) =>
  calls(sql).some(
    (call) => !call.includes(' * ') && joins.some(({ to }) => call.includes(`${to}.`)),
  )
    ? 'A value would be added once for each row of another table that refers to it. Ask about its own file or table only.'
    : undefined;

/** The arguments of sums and means in a statement. */
const calls = (sql: string): readonly string[] =>
  [...sql.matchAll(/\b(?:sum|avg|median|stddev|percentile)\(/g)].map(({ index, 0: { length } }) => {
    let end = index + length;
    for (let depth = 1; depth > 0 && end < sql.length; end += 1)
      depth += sql[end] === '(' ? 1 : sql[end] === ')' ? -1 : 0;
    return sql.slice(index + length, end - 1);
  });

const comesIn = /^(?:sale|ticket|donation|income|revenue|earning|sponsor|subscriber|booking)$/;
const goesOut = /^(?:expense|spending|expenditure|purchase|grocery|cost)$/;

/** `we spend` or `we paid` about income, or `we earn` about expenses. */
const ofOtherMoney: Check = ({ text, word, table: { nouns, columns }, sql }) => {
  const [isIn, isOut] = [comesIn, goesOut].map((kind) => [...nouns].some((one) => kind.test(one)));
  const own = columns.filter((one) => !one.link && isMoneyOf(one));
  const isOfCosts = own.length > 0 && own.every(({ words }) => words.at(-1) === 'cost');
  const isSpent = isOfCosts || calls(sql).some((call) => /spent|expense|cost/i.test(call));
  const earning = (isOut && !isIn) || isSpent ? /^(?:earn|earned|sold|sell|make)$/ : /^$/;
  const isIncome = isIn && !isOut;
  const paying = isIncome ? /(?<!\b(?:are|were) )\b(?:we|i) (?:pay|paid)\b/ : /^$/;
  const verb =
    (isOfCosts ? /\b(?:brings?|brought) in\b/ : paying).exec(text)?.[0] ??
    (word(/^(?:we|i)$/) && word(isIncome ? /^(?:spend|spent)$/ : earning));
  return verb && `"${verb}" is not about the money of these rows.`;
};

/** The price of a thing and the money of its rows may both be meant: `what did we pay for the shoes`, with rentals of shoes. */
const eitherMoney: Check = ({ word, where, own: about, table: { columns }, sql }) => {
  const said = word(/^(?:pay|paid|spend|spent|costs?)$/);
  const links = where.flatMap(({ column }) => column?.link ?? []);
  const other = columns.find((one) => one.link && links.includes(one.link) && isMoneyOf(one));
  // `which plays cost more than 9`, with the prices of their tickets
  const isOfOther = about !== undefined && (about.link !== undefined || isCode(about));
  const own = columns.find(
    (one) => isMoneyOf(one) && where.some(({ sql: test }) => test.startsWith(one.sql)),
  );
  if (said && isOfOther && own && !own.link)
    return `"${said}" may not mean ${own.name}. Name the column.`;
  return said && other && calls(sql).length > 0 && !sql.includes(other.sql)
    ? `"${said}" may also mean ${other.name}. Name the column.`
    : undefined;
};

/** Whether a column has amounts of money, by its name. */
const isMoneyOf = ({ isNumber, words }: Column): boolean =>
  isNumber && /\b(?:price|cost|fee|amount|total)$/.test(words.join(' '));

/** Rows or an amount: `which region sold the most`, with amounts. */
const soldBy: Check = ({ text, ranksByCount, table: { columns } }) => {
  const own = columns.find((one) => one.link === undefined && isAmount(one));
  const [said] =
    /\b(?:sold|sells?|bought|ordered) (?:the )?(?:most|least)\b(?! often)/.exec(text) ?? [];
  return said && own && ranksByCount
    ? `"${said}" may mean the number of rows or ${own.name}. Say "with the most rows" or "with the highest total ${own.name}".`
    : undefined;
};

/** Checks that a sum of money is the one that was asked for. */
export const moneyChecks: readonly Check[] = [addedAgain, ofOtherMoney, eitherMoney, soldBy];
