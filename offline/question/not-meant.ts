import type { Token } from '../language/lexer.ts';
import { otherFigure } from './other-figure.ts';
import { otherMoney } from './other-money.ts';
import { isParticiple } from './read/columns/names.ts';
import { isDoneBy } from './read/columns/verbs-of-rows.ts';
import { isOfThings, pieceIn, quantityOf } from './read/figures/money.ts';
import { lowIsBest } from './read/figures/superlatives.ts';
import { persons } from './read/rows/who.ts';
import { ofSomeOrAll } from './some-or-all.ts';
import { isMeasure, type Query } from './sql/query.ts';
import type { Column, Table } from './table/schema.ts';

export interface Statement {
  readonly table: Table;
  readonly sql: string;
}

/** Explains why a statement may not mean what was asked although it uses all words. Undefined if it does. */
export function notMeant(
  tokens: readonly Token[],
  query: Query,
  { table, sql }: Statement,
): string | undefined {
  return (
    emptySubject(tokens, query, table) ??
    otherMoney(tokens, query, { table, sql }) ??
    otherRole(tokens, query) ??
    doneFor(tokens, query) ??
    eitherRole(query) ??
    ownerBy(tokens, query) ??
    ofEarlier(tokens, query, table) ??
    fromEvery(tokens, query) ??
    ofSomeOrAll(tokens, query, table) ??
    decade(tokens) ??
    thousands(tokens) ??
    busiestBy(tokens, query, table) ??
    whatHappened(tokens, query) ??
    ofAllBeside(tokens, query) ??
    ofFirstOnly(tokens, query) ??
    bestOf(tokens, sql) ??
    ofEveryRow(tokens) ??
    eachOnce(query, table) ??
    pieces(tokens, table, sql) ??
    hours(tokens, table) ??
    otherFigure(tokens, query, { table, sql })
  );
}

/** The subject itself would have to be empty: `which boats have no skipper` with a list of skippers. */
function emptySubject(
  tokens: readonly Token[],
  { subject, where }: Query,
  { nouns, columns }: Table,
): string | undefined {
  // `anyone without a plot` is about persons, not about rows of plots.csv.
  const who = tokens.find(({ norm }) => /^(?:who|any(?:one|body)|people|persons?)$/.test(norm));
  const asked = subject === undefined || subject === 'rows' ? who?.text : subject.words;
  const own = columns.find(({ words, hasEmpty }) => !hasEmpty && nouns.has(words.join(' ')));
  if (
    own &&
    asked &&
    where.some(({ sql }) => /^(?:\(\S+ IS NULL|coalesce\()/.test(sql) && sql.includes(own.sql))
  )
    return `Each row has a ${own.name}, so this file does not show which ${asked} have none.`;
  if (subject === undefined || subject === 'rows') return undefined;
  const isNone = where.some(({ sql }) => sql === `(${subject.sql} IS NULL OR ${subject.sql} = '')`);
  return isNone ? `The question asks for "${subject.words}", so it can't be empty.` : undefined;
}

const senders = /^(?:sender|from|origin|source|seller|payer|reporter|home)$/;
const receivers = /^(?:recipient|receiver|to|destination|target|payee|away)$/;

/** A value in the opposite role: `parcels to Acme` with a column of senders. */
function otherRole(tokens: readonly Token[], { where }: Query): string | undefined {
  for (const { column, value } of where) {
    const [first] = value?.toLowerCase().split(' ') ?? [];
    const at = tokens.findIndex(({ norm, text }) => norm === first || text === value);
    const lead = tokens[at - 1]?.norm ?? '';
    const isOf = (names: RegExp) => column?.words.some((word) => names.test(word)) === true;
    const isOther = lead === 'to' ? isOf(senders) : /^(?:from|by)$/.test(lead) && isOf(receivers);
    if (at > 0 && isOther)
      return `"${lead} ${value}" does not fit ${column?.name}, the only column with this value.`;
  }
  return undefined;
}

/** What owners of rows do themselves, so that the state of a row says it of them. */
const ownDeeds =
  /^(?:paid|ordered|bought|purchased|cancell?ed|returned|borrowed|rented|booked|reserved|won|lost|passed|failed|attended|completed|finished|joined|left|registered|subscribed|enrolled|signed|missed|graduated|started|answered|replied|applied|donated|confirmed|accepted|declined|used|sent|submitted|requested)$/;

/** The state of a row does not say who brought it about: `who delivered order 7`, with a customer and a status, or `signed_by`. */
function doneFor(tokens: readonly Token[], { subject, where, columns }: Query): string | undefined {
  const [shown] = subject === 'rows' ? columns : subject ? [subject] : [];
  const own = shown?.column;
  const verb = /(?:^| )who (?:has |have |had )?(\w+)/.exec(textOf(tokens))?.[1] ?? '';
  const isState = where.some(({ value }) => value?.toLowerCase() === verb);
  const isOther = own?.words.at(-1) === 'by' || (isState && !ownDeeds.test(verb));
  return own && isOther && isParticiple(verb) && !isDoneBy(own, verb)
    ? `"who ${verb}" may not mean ${own.name}. Name the column.`
    : undefined;
}

/** Another column may have the role: `how many assists did Ann give`, of goals with a scorer and an assist. */
function eitherRole({ measures, where }: Query): string | undefined {
  const counted = measures.flatMap(({ fn, of }) => (fn === 'distinct' ? (of?.column ?? []) : []));
  const isShared = (own: Column, one: Column) =>
    own !== one && [...one.values].some((text) => own.values.has(text));
  const other = where.find(
    ({ column, value }) =>
      value !== undefined && column && counted.some((one) => isShared(column, one)),
  );
  return (
    other &&
    `"${other.value}" may be of ${other.column?.name} or of ${counted[0]?.name}. Name the column.`
  );
}

/** `whose` answered with a column such as `handled_by`: `whose reservation is ready`. */
function ownerBy(tokens: readonly Token[], { subject }: Query): string | undefined {
  const own = subject === 'rows' ? undefined : subject?.column;
  const name = own?.link ?? own?.name ?? '';
  return tokens[0]?.norm === 'whose' && /[_ ]by"?$/.test(name)
    ? `"whose" may not mean ${own?.name}. Name the column.`
    : undefined;
}

/** A pronoun without the rows that it refers to: `Tell me their names`. */
function ofEarlier(tokens: readonly Token[], query: Query, table: Table): string | undefined {
  const word = tokens.find(({ norm }) => /^(?:their|his|her|its)$/.test(norm));
  const isNamed = tokens.some(({ stem }) => table.nouns.has(stem));
  const { where, measures, groups, rank } = query;
  const isOfAll = where.length + measures.length + groups.length === 0 && !rank;
  return word && isOfAll && !isNamed && !table.beginning
    ? `It is not clear which rows "${word.text}" means. Ask in one sentence.`
    : undefined;
}

/** Rows may be meant instead of a number for each: `parts from every supplier except X`, `orders by customers from Germany`. */
function fromEvery(tokens: readonly Token[], { subject, measures, groups }: Query) {
  const [said] =
    /\b(?:from (?:every|each)|by \w+s (?:from|in|with|who|that|whose))\b/.exec(textOf(tokens)) ??
    [];
  return said && subject === 'rows' && measures.length === 0 && groups.length > 0
    ? `"${said}" may mean all rows or a number for each. Say "of" or "per".`
    : undefined;
}

const textOf = (tokens: readonly Token[]) => tokens.map(({ norm }) => norm).join(' ');

/** A decade: `in the 1970s`. */
function decade(tokens: readonly Token[]): string | undefined {
  const text = tokens.map((token) => token.text).join(' ');
  const [, years] = /\b(?:the|in|from) (1[89]\d|20\d)0 ?['’]?s\b/i.exec(text) ?? [];
  return years && `"${years}0s" is a decade. Say "between ${years}0 and ${years}9".`;
}

/** `1.000` may be one or one thousand. */
function thousands(tokens: readonly Token[]): string | undefined {
  const said = tokens.find(
    ({ kind, text }) => kind === 'number' && /^[1-9]\d{0,2}\.\d{3}$/.test(text),
  );
  if (!said) return undefined;
  const [whole = '', rest = ''] = said.text.split('.');
  return `"${said.text}" may be ${Number(said.text)} or ${whole}${rest}. Write one of these.`;
}

/** `busiest` may mean the number of rows or a quantity: `busiest day` in hours.csv. */
function busiestBy(tokens: readonly Token[], { rank }: Query, table: Table): string | undefined {
  const own = table.nouns.size === 0 ? table.columns.find(isOfThings) : undefined;
  const isCount = isMeasure(rank?.by) && rank?.by.fn === 'count';
  const word = tokens.find(({ norm }) => norm === 'busiest');
  return word && own && isCount
    ? `"busiest" may mean the number of rows or ${own.name}. Say "with the most rows" or "with the most ${own.name}".`
    : undefined;
}

/** A calculation can't answer `what happened`: `when was the latest error, and what happened`. */
const whatHappened = (tokens: readonly Token[], { measures }: Query): string | undefined =>
  measures.length > 0 && /\bwhat happen/.test(textOf(tokens))
    ? 'A calculation does not show "what happened". Ask for the row.'
    : undefined;

/** The second calculation would be about all rows instead of those of the first: `how many lamps (add up the price)`. */
function ofAllBeside(tokens: readonly Token[], { measures, where }: Query): string | undefined {
  const [first, ...others] = measures;
  const ofAll = others.find((one) => one.where.length === 0);
  const isListed = tokens.some(({ norm }) => /^(?:and|,|&|plus)$/.test(norm));
  const isNarrower = first?.where.some(({ sql }) => where.every((one) => one.sql !== sql));
  return isNarrower && ofAll && !isListed
    ? `"${ofAll.name}" would be about all rows. Ask for it separately.`
    : undefined;
}

const figures = /^(?:number|count|total|sum|average|mean|median|highest|lowest|how)$/;

/** A condition of the first calculation would be one of both: `total of cancelled sales and number of sales`. */
function ofFirstOnly(tokens: readonly Token[], { measures, where }: Query): string | undefined {
  const first = tokens.findIndex(({ norm }) => figures.test(norm));
  const joint = tokens.findIndex(
    ({ norm }, at) => at > first && norm === 'and' && figures.test(tokens[at + 1]?.norm ?? ''),
  );
  const said = tokens.slice(first + 1, Math.max(joint, 0)).map(({ norm }) => norm);
  const own = where.find(({ value }) => value && said.includes(value.toLowerCase()));
  return measures.length > 1 && own
    ? `"${own.value}" may be only about the first calculation. Ask for each one separately.`
    : undefined;
}

/** Columns of which more is better. */
const high =
  /point|score|rating|star|sale|revenue|turnover|profit|income|earn|taking|total|amount|money|vote|view|win|mark|like|download|quantity|qty|unit|accuracy|acc|f1|auc|precision|recall|efficiency|yield|conversion|ctr|rate of return|balance/i;

/** `best` is unclear for a column of which neither more nor less is known to be better: `best time`. */
function bestOf(tokens: readonly Token[], sql: string): string | undefined {
  const word = tokens.find(({ norm }) => /^(?:best|worst)$/.test(norm));
  const by =
    /\nORDER BY "?([^,\n"]+)/.exec(sql)?.[1] ?? /\b(?:max|min)\("?([^)"]+)/.exec(sql)?.[1] ?? '';
  const isKnown = !/^total .*(?:price|cost)/i.test(by) && (high.test(by) || lowIsBest.test(by));
  const name = by.replace(/ (?:DESC|NULLS).*$/, '');
  return word && name !== '' && !isKnown
    ? `It is not clear whether a higher or a lower ${name} is "${word.text}". Say "highest" or "lowest".`
    : undefined;
}

/** The rows that fit do not show whether all do: `are all invoices paid`. */
const ofEveryRow = (tokens: readonly Token[]): string | undefined =>
  /^(?:is|are|was|were|do|does|did|has|have) (?:all|every|each)\b/.test(textOf(tokens))
    ? 'The rows that match do not show whether all rows do. Ask which rows do not.'
    : undefined;

/** Each row has a quantity of what is counted: `which share of the tickets` of ticket_sales.csv. */
function pieces(tokens: readonly Token[], table: Table, sql: string): string | undefined {
  const own = quantityOf(table);
  const key = table.columns.find(
    ({ words: [of = '', id] }) => id === 'id' && tokens.some(({ stem }) => stem === of),
  );
  const isShared = own && key && key.values.size < table.rows;
  // With a `member_id`, the rows of member_orders.csv are not members.
  if (isShared && sql.includes('count(*)') && !sql.includes(key.sql))
    return `Several rows are about one ${key.words[0]}. Say "number of rows" or "number of different ${key.name}".`;
  const piece = own && pieceIn(tokens, table);
  const isPerson = persons.test(piece?.stem ?? '');
  return piece && !isPerson && sql.includes('count(*)') && !sql.includes(own.sql)
    ? `"${piece.text}" may be rows or their ${own.name}. Say "number of rows" or "total ${own.name}".`
    : undefined;
}

/** `when is the shop open` asks for its hours, not for rows that are open. */
function hours(tokens: readonly Token[], { columns }: Table): string | undefined {
  const asked =
    /^(?:(?:until |since )?when|(?:at |until )?what time|(?:on )?which days)\b.* (opens?|closed?|closes)(?= (?:[?.]|on|in|at|until|during|today|tomorrow)|$)/;
  const [, word] = asked.exec(textOf(tokens)) ?? [];
  const [ours] = /\b(?:are we|we are|do we|we) (?:open|closed?)\b/.exec(textOf(tokens)) ?? [];
  if (ours) return `"${ours}" may not mean rows that are open. Name the column.`;
  const isColumn = columns.some(({ words }) => words.some((one) => /^(?:open|close)/.test(one)));
  return word && !isColumn
    ? `"${word}" may not mean rows that are ${word}. Name the column.`
    : undefined;
}

/** Every name is in exactly one row: `who came most often`. */
function eachOnce({ rank, subject, where }: Query, { joins, rows }: Table): string | undefined {
  const own = subject === 'rows' ? undefined : subject?.column;
  const by = isMeasure(rank?.by) && rank.by.fn === 'count' ? rank.by : undefined;
  const isPlain = subject !== 'rows' && !subject?.part && by?.where.length === 0;
  return own && isPlain && where.length === 0 && !joins && own.values.size === rows
    ? `Each ${own.name} is in only one row, so none occurs more often than others.`
    : undefined;
}
