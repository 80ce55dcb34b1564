import { isParticiple } from '../read/columns/names.ts';
import { isDoneBy } from '../read/columns/verbs-of-rows.ts';
import { lowIsBest } from '../read/figures/superlatives.ts';
import type { Condition } from '../sql/query.ts';
import { type Column, isCode } from '../table/schema.ts';
import type { Check } from './asked.ts';

/** The subject itself would have to be empty: `which boats have no skipper` with a list of skippers. */
const emptySubject: Check = ({ of, word, where, table: { nouns, columns } }) => {
  // `anyone without a plot` is about persons, not about rows of plots.csv.
  const asked = of ? of.words : word(/^(?:who|any(?:one|body)|people|persons?)$/);
  const own = columns.find(({ words, hasEmpty }) => !hasEmpty && nouns.has(words.join(' ')));
  const isNoneOf = ({ sql }: { sql: string }, part: string) =>
    /^(?:\(\S+ IS NULL|coalesce\()/.test(sql) && sql.includes(part);
  if (own && asked && where.some((one) => isNoneOf(one, own.sql)))
    return `Each row has a ${own.name}, so this file does not show which ${asked} have none.`;
  const isNone = of && where.some(({ sql }) => sql === `(${of.sql} IS NULL OR ${of.sql} = '')`);
  return isNone ? `The question asks for "${of.words}", so it can't be empty.` : undefined;
};

/** A text in what has to be empty: `reviews with no comment about breakfast`. */
const textOfEmpty: Check = ({ where }) => {
  const [own] = where.flatMap(({ sql }) => /^\((.+) IS NULL OR /.exec(sql)?.[1] ?? []);
  const isText = ({ sql }: { sql: string }) => sql.includes(`${own} LIKE `);
  return own && where.some(isText) ? `${own} can't be empty and have a text.` : undefined;
};

const senders = /^(?:sender|from|origin|source|seller|payer|reporter|home)$/;
const receivers = /^(?:recipient|receiver|to|destination|target|payee|away)$/;

/** A value in the opposite role: `parcels to Acme` with a column of senders. */
const otherRole: Check = ({ tokens, where }) => {
  for (const { column, value } of where) {
    const [first] = value?.toLowerCase().split(' ') ?? [];
    const at = tokens.findIndex(({ norm, text }) => norm === first || text === value);
    const lead = tokens[at - 1]?.norm ?? '';
    const others = lead === 'to' ? senders : /^(?:from|by)$/.test(lead) ? receivers : undefined;
    if (column?.words.some((word) => others?.test(word)))
      return `"${lead} ${value}" does not fit ${column.name}, the only column with this value.`;
  }
  return undefined;
};

/** What owners of rows do themselves, so that the state of a row says it of them. */
const ownDeeds =
  /^(?:paid|ordered|bought|purchased|cancell?ed|returned|borrowed|rented|booked|reserved|won|lost|passed|failed|attended|completed|finished|joined|left|registered|subscribed|enrolled|signed|missed|graduated|started|answered|replied|applied|donated|confirmed|accepted|declined|used|sent|submitted|requested)$/;

/** The state of a row does not say who brought it about: `who delivered order 7`, with a customer and a status, or `signed_by`. */
const doneFor: Check = ({ text, subject, own: asked, where, columns }) => {
  const own = subject === 'rows' ? columns[0]?.column : asked;
  const verb = /(?:^| )who (?:has |have |had )?(\w+)/.exec(text)?.[1] ?? '';
  const isState = where.some(({ value }) => value?.toLowerCase() === verb);
  const isOther = own?.words.at(-1) === 'by' || (isState && !ownDeeds.test(verb));
  return own && isOther && isParticiple(verb) && !isDoneBy(own, verb)
    ? `"who ${verb}" may not mean ${own.name}. Name the column.`
    : undefined;
};

/** What is sold in general need not be in a sale yet: `what products does the kiosk sell`, with products and sales. */
const inGeneral: Check = ({ text, own, where, figures }) =>
  own &&
  (own.link !== undefined || isCode(own)) &&
  where.length + figures.length === 0 &&
  /\bdo(?:es)? .*\b(?:sell|offer)\b/.test(text)
    ? `The rows only have each ${own.name} that was sold. Name the table that has all of them.`
    : undefined;

/** Another column may have the role: `how many assists did Ann give`, of goals with a scorer and an assist. */
const eitherRole: Check = ({ measures, where }) => {
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
};

/** `1.000` may be one or one thousand. */
const thousands: Check = ({ tokens }) => {
  const said = tokens.find(
    ({ kind, text }) => kind === 'number' && /^[1-9]\d{0,2}\.\d{3}$/.test(text),
  )?.text;
  return (
    said && `"${said}" may be ${Number(said)} or ${said.replace('.', '')}. Write one of these.`
  );
};

/** The second calculation would be about all rows instead of those of the first: `how many lamps (add up the price)`. */
const ofAllBeside: Check = ({ tokens, measures: [first, ...others], where }) => {
  const ofAll = others.find((one) => one.where.length === 0);
  const isListed = tokens.some(({ norm }) => /^(?:and|,|&|plus)$/.test(norm));
  const isNarrower = first?.where.some(({ sql }) => where.every((one) => one.sql !== sql));
  return isNarrower && ofAll && !isListed
    ? `"${ofAll.name}" would be about all rows. Ask for it separately.`
    : undefined;
};

const figures = /^(?:number|count|total|sum|average|mean|median|highest|lowest|how)$/;

/** A condition of the first calculation would be one of both: `total of cancelled sales and number of sales`. */
const ofFirstOnly: Check = ({ tokens, measures, where }) => {
  const first = tokens.findIndex(({ norm }) => figures.test(norm));
  const joint = tokens.findIndex(
    ({ norm }, at) => at > first && norm === 'and' && figures.test(tokens[at + 1]?.norm ?? ''),
  );
  const said = tokens.slice(first + 1, Math.max(joint, 0)).map(({ norm }) => norm);
  const own = where.find(({ value }) => value && said.includes(value.toLowerCase()));
  return measures.length > 1 && own
    ? `"${own.value}" may be only about the first calculation. Ask for each one separately.`
    : undefined;
};

/** Columns of which more is better. */
const high =
  /point|score|rating|star|sale|revenue|turnover|profit|income|earn|taking|total|amount|money|vote|view|win|mark|like|download|quantity|qty|unit|accuracy|acc|f1|auc|precision|recall|efficiency|yield|conversion|ctr|rate of return|balance/i;

/** `best` is unclear for a column of which neither more nor less is known to be better: `best time`. */
const bestOf: Check = ({ word, sql, table }) => {
  const said = word(/^(?:best|worst)$/);
  const [, by = ''] =
    /\nORDER BY "?([^,\n"]+)/.exec(sql) ?? /\b(?:max|min)\("?([^)"]+)/.exec(sql) ?? [];
  const isKnown = !/^total .*(?:price|cost)/i.test(by) && (high.test(by) || lowIsBest.test(by));
  const own = table.columns.find(({ unit, sql: made }) => unit && made.startsWith(by));
  const name = own?.name ?? by.replace(/ (?:DESC|NULLS).*$/, '');
  return said && name !== '' && !isKnown
    ? `It is not clear whether a higher or a lower ${name} is "${said}". Say "highest" or "lowest".`
    : undefined;
};

/** Checks that a statement has the subject, the roles and the rows that the words of the question mean. */
export const readingChecks: readonly Check[] = [
  ...[emptySubject, textOfEmpty, otherRole, doneFor, inGeneral, eitherRole, thousands],
  ...[ofAllBeside, ofFirstOnly, bestOf],
];

/** A condition on all rows of a value, and one that may be about the same rows: `which beds had no kale in July`. */
const besideAll: Check = ({ where }) => {
  const all = where.find(({ isOfAll }) => isOfAll);
  const other = where.find(({ isOfAll }) => !isOfAll);
  return all && other
    ? `"${all.words}" is about all rows, and "${other.words}" may be about the same rows. Leave one of them out.`
    : undefined;
};

/** `only` or `always` about what somebody with several rows did: `customers who only paid by card`. */
const onlyOf: Check = ({ text, of, columns, where, table }) => {
  const said =
    /\b(?:who|that|which)\b(?: \w+){0,3}? (only|always|exclusively)\b/.exec(text) ??
    /\w (only|always|exclusively) (?:\w+ed|\w+wn|\w+ght|in|from|by|on|at|with)\b/.exec(text);
  const values = [...(of ? [of] : []), ...columns];
  const isShared = values.some(({ column }) => column?.values.size !== table.rows);
  const isOfOthers = where.some(({ sql }) => sql.includes('EXISTS'));
  return said && where.length > 0 && (isShared || isOfOthers)
    ? `"${said[1]}" is about all rows of each one, which can't be compared here. Leave it out.`
    : undefined;
};

/** A condition on single rows can't express `never` for a person with several rows: `who has never been late`. */
const neverOfSome: Check = ({ text, of, where, table }) => {
  const [all] = /\bnever\b|n't\b.*\b(?:single|any\w*|at all)\b/.exec(text) ?? [];
  const [not] = /\b(?:have|has|had|did|was|were)(?:n't| not)\b/.exec(text) ?? [];
  const never = all ?? not;
  if (never === undefined || of === undefined || of.column?.values.size === table.rows)
    return undefined;
  const isOfDay = where.some(({ sql }) => /date\([^)]*\) = /.test(sql));
  const isOfAll = where.some(({ sql }) => / NOT IN \(SELECT /.test(sql));
  const isOfRow = where.some(({ sql, column }) => {
    if (isOfAll) return /date\(|strftime/.test(sql) && !sql.includes('SELECT');
    if (all) return !sql.includes('EXISTS');
    return !isOfDay && (column?.truth !== undefined || / IS NOT |<> '|\bNOT (?:\(|IN)/.test(sql));
  });
  return isOfRow
    ? `"${never}" is about all rows of each ${of.words}, which can't be compared here. Ask for the rows instead.`
    : undefined;
};

/** One row or all rows of each may be meant: `who borrowed Dune and Momo`, `methods without a discount`. */
const someOrAll: Check = ({ text, of, where, groups, measures, table }) => {
  const isShared = of && of.column?.values.size !== table.rows;
  if (!isShared || groups.length + measures.length > 0) return undefined;
  const isSame = (one: Condition, other: Condition) =>
    one.value !== undefined && one.column === other.column && one.value !== other.value;
  const isBoth = / and /.test(text) && where.some((one) => where.some((own) => isSame(one, own)));
  if (isBoth || where.some((one) => one.each))
    return `"and" may mean one or both of these. Say "both … and …", or "… or …".`;
  return where.some(({ sql }) => /^coalesce\(\S+, 0\) = 0$/.test(sql))
    ? `One row or all rows of each ${of.words} may be meant. Ask for the rows.`
    : undefined;
};

/** Checks that it is clear whether one row or all rows of each value are meant. */
export const quantityChecks: readonly Check[] = [onlyOf, neverOfSome, besideAll, someOrAll];
