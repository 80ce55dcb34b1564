import { rowsOf } from '../../language/lexicon.ts';
import { fail } from '../../task-error.ts';
import { isParticiple } from '../read/columns/names.ts';
import { isDeed } from '../read/columns/verbs-of-rows.ts';
import { hasPersons, isOfPersons, isWho } from '../read/rows/who.ts';
import { otherDeed } from '../read/times/time-columns.ts';
import { type Condition, isCounting, type Value } from '../sql/query.ts';
import type { Asked, Check } from './asked.ts';
import { containers, down, up } from './used-words.ts';

/** The problem of words that a statement does not answer. */
const notAnsweredBy =
  'The question as it was read does not answer "{}", so nothing is shown. Use the names of columns.';

/** Names the words that a statement does not answer. */
export const notAnswered: Check = (asked) => {
  const word = [contradiction, voidWord, ofRelated, worthOf, unanswered, unshown, ownerOf]
    .map((lackedBy) => lackedBy(asked))
    .find((one) => one !== undefined);
  return word && notAnsweredBy.replace('{}', () => word);
};

/** Whether nothing narrows or orders the rows. */
const isOfAll = ({ rank, measures, groups, having, where }: Asked): boolean =>
  !rank && measures.length + groups.length + having.length + where.length === 0;

/** The words of a condition that contradicts another one. */
function contradiction({ where, measures }: Asked): string | undefined {
  const isOther = ({ column, value }: Condition, one: Condition) =>
    column !== undefined && column === one.column && value !== undefined && value !== one.value;
  const counted = measures.flatMap((one) => one.where).filter(({ value }) => value !== undefined);
  const denied = where.find(({ sql }) => where.some((one) => sql === `NOT ${one.sql}`));
  return (denied ?? counted.find((one) => where.some((other) => isOther(other, one))))?.words;
}

/** A word of order without effect, because the statement ranks equal values; any word if it counts each group within itself. */
function voidWord({ tokens, sql }: Asked): string | undefined {
  const plain = sql.replace(/nullif\(([^()]+), ''\)/g, '$1');
  if (/count\(DISTINCT ([^()\s]+)\)[\s\S]*\nGROUP BY \1(?:\n|$)/.test(plain))
    return tokens[0]?.text;
  const isVoid = /PARTITION BY (\S+) ORDER BY \1 /.test(plain);
  return isVoid ? tokens.find(({ norm }) => down.has(norm) || up.has(norm))?.text : undefined;
}

/** A word for a column of related rows that the statement does not use: `with an order received after …`. */
function ofRelated({ tokens, table, sql }: Asked): string | undefined {
  const used = table.related?.filter((one) => sql.includes(one.sql)) ?? [];
  const own = new Set([...table.nouns, ...table.columns.flatMap(({ words }) => words)]);
  return tokens.find(
    ({ kind, stem, norm }) =>
      kind === 'word' &&
      !own.has(stem) &&
      used.some(({ table: of, noun, objects }) => {
        const named = of.columns.filter(
          ({ words }) => words.includes(norm) || words.includes(stem),
        );
        const isNoun = of.nouns.has(stem) || stem === noun || objects.has(stem) || isDeed(of, norm);
        return named.length > 0 && !isNoun && named.every((one) => !sql.includes(one.sql));
      }),
  )?.text;
}

/** The word `value`, `worth` or `revenue`, if the statement only counts rows. */
function worthOf({ measures, groups, isCompared, table, sql, word }: Asked): string | undefined {
  const worth = word(/^(?:value|worth|revenue)$/);
  const isCounted =
    (isCompared || measures.length + groups.length > 0) && measures.every(isCounting);
  const isColumn = table.columns.some(
    (own) => own.words.includes(worth?.toLowerCase() ?? '') && sql.includes(own.sql),
  );
  return isCounted && !isColumn ? worth : undefined;
}

/** A question word whose kind of value the answer lacks: `who`, if the answer is a number. */
function unanswered(asked: Asked): string | undefined {
  const [first] = asked.tokens;
  const isTime = first?.norm === 'when';
  const isAnswered = isTime ? hasTime(asked) : !isOfAll(asked) && hasPerson(asked);
  return isAnswered || !(isTime || /^who(?:se)?$/.test(first?.norm ?? ''))
    ? undefined
    : first?.text;
}

/**
 * A column that is asked for but not shown: `which sender ships the most parcels by day`, answered with a day;
 * `visits with their date and number of people`, answered with a sum.
 */
function unshown({ text, table, groups, sql }: Asked): string | undefined {
  const [, kind, name] = /^(which|what) (\w+)/.exec(text) ?? [];
  const [, lead, listed] = /\b(with (?:their|its)) (\w+)/.exec(text) ?? [];
  const isUnshown = (said: string | undefined) => {
    const own = table.columns.find(({ words }) => words.join(' ') === said);
    return own !== undefined && !sql.startsWith('SELECT *') && !sql.includes(own.sql);
  };
  if (isUnshown(listed)) return `${lead} ${listed}`;
  return groups.length > 0 && isUnshown(name) ? `${kind} ${name}` : undefined;
}

/** The values that are shown. Undefined if whole rows are. */
const shownBy = ({ measures, columns, groups, of }: Asked): readonly Value[] | undefined =>
  measures.length + columns.length === 0 && of === undefined
    ? undefined
    : [...groups, ...columns, ...(of ? [of] : [])];

const hasPerson = (asked: Asked): boolean =>
  shownBy(asked)?.some((one) => isWho(one, asked.table, asked.tokens)) ??
  hasPersons(asked.table, asked.tokens);

function hasTime(asked: Asked): boolean {
  const times = asked.table.columns.filter((column) => column.isTime);
  const values = shownBy(asked)?.concat(asked.measures.flatMap(({ of }) => of ?? []));
  const isTime = ({ column, part }: Value) => part !== undefined || column?.isTime === true;
  return (values?.some(isTime) ?? times.length > 0) && !otherDeed(asked.tokens, times);
}

/** What owns a setting, if it is not in the table: `what port does the log use`, of a list of services. */
function ownerOf({ text, where, table: { columns, isLog, format } }: Asked): string | undefined {
  const [, owner = ''] = /\b(?:do|does|did|has|have) (?:the|our|my) (\w+)/.exec(text) ?? [];
  const isNamed = columns.some(({ words }) => words.includes(owner));
  const isOpen = !isNamed && !isLog && format !== 'log' && where.length === 0;
  return isOpen && containers.test(owner) ? owner : undefined;
}

/** Whether a condition is about the state of a row, not about a time or a comparison of numbers. */
const isState = ({ sql }: Condition): boolean =>
  /NULL|<> '|^\(?[^\s(]+ (?:=|IN|IS)|^NOT |EXISTS|coalesce/.test(sql) &&
  !/strftime|date\(/.test(sql);

/** Whether only one column is shown. */
const isOneValue = ({ columns, groups, measures, rank, subject }: Asked): boolean =>
  columns.length + groups.length + measures.length === 0 && !rank && subject !== 'rows';

/** States of a query, by name. */
const stateOf: Readonly<Record<string, (asked: Asked) => boolean>> = {
  any: () => true,
  figures: ({ measures }) => measures.length > 0,
  figureless: ({ measures }) => measures.length === 0,
  oneFigure: ({ measures }) => new Set(measures.map(({ name }) => name)).size === 1,
  ungrouped: ({ groups, rank }) => groups.length === 0 && !rank,
  unconditional: ({ where }) => where.length === 0,
  allRows: (asked) => isOfAll(asked) && asked.subject === 'rows',
  rowsPerGroup: ({ subject, measures, groups }) =>
    subject === 'rows' && measures.length === 0 && groups.length > 0,
  otherMoney: ({ measures, table: { money }, sql }) =>
    money !== undefined &&
    !(sql.includes(money.sql) && measures.every(({ of }) => !of || of.sql === money.sql)),
  oneValue: isOneValue,
  ofRows: (asked) => shownBy(asked) === undefined,
  // The answer only repeats a value of the question.
  repeating: (asked) =>
    isOneValue(asked) &&
    !asked.isDistinct &&
    asked.where.some(({ column, value }) => value !== undefined && column === asked.own),
  stateless: ({ where, measures, rank }) =>
    !rank && ![...where, ...measures.flatMap((one) => one.where)].some(isState),
  impersonal: ({ of, table }) => !(isOfPersons(table) || (of && isWho(of, table))),
  taskless: ({ table }) => !table.nouns.has('task'),
  hourless: ({ table: { columns } }) =>
    !columns.some(({ words }) => words.some((one) => /^(?:open|close)/.test(one))),
  unnamed: ({ where, figures, groups, rank, table, tokens }) =>
    where.length + figures.length + groups.length === 0 &&
    !(rank || table.beginning || tokens.some(({ stem }) => table.nouns.has(stem))),
  undivided: ({ isCompared, groups, columns, rank, of }) =>
    !isCompared && groups.length + columns.length === 0 && !(rank && of),
  // A time between two dates, instead of groups by date.
  spanned: ({ sql, groups }) => sql.includes('julianday') && !groups.some(({ part }) => part),
  perPeriod: ({ groups, figures }) =>
    groups.some(({ part }) => part) && figures.every(({ fn }) => fn !== 'sum'),
  perStart: ({ groups, figures }) =>
    groups.some(
      ({ part, column }) => part && !/^(?:date|day|month|paid)/.test(column?.name ?? ''),
    ) && figures.some(({ of }) => /salary|wage/.test(of?.column?.name ?? '')),
  nameless: ({ where, table: { nouns } }) =>
    where.some(({ words }) => nouns.has(/^(\w+) is empty$/.exec(words)?.[1] ?? '')),
  onePeriod: ({ where }) =>
    !where.some(({ column, words }) => column?.isTime === true && words.includes(' or ')),
  ofDoer: ({ own }) => /[_ ]by"?$/.test(own?.link ?? own?.name ?? ''),
  ofDeed: ({ own, measures }) =>
    own?.isTime === true && own.words.some(isParticiple) && measures.length === 0,
};

/** Phrases, the states of a query that does not answer them, and the problem, with `{}` for what was said and `{column}` for the column that is shown. */
const phrases = rowsOf(String.raw`
# a formula of money that is not used
^.* => otherMoney
# who has been waiting longest
\bbeen\b.*\blongest\b => any
# what is the value of everything in stock
^(?:what|how much)\b.*\b(?:value|worth)\b => ofRows
# a column named 'total' would not be added up
^what (?:is|are|was|were) the total\b => oneValue unconditional
# how many plots are free, and which ones?
(?:\band|[,.?:;]) (?:which|which ones?|who)(?: (?:is|are|was|were) (?:it|they|that|those))?(?= [.?!]|$) => figures ungrouped
# who came first, and on which day?
\band (?:for |with |on |in )?(?:which|what) \w+ => oneValue
# who owns Biscuit, answered with Biscuit
^\S+ => repeating
# two numbers, with a condition of the first one
\bhow (?:many|much)\b.*\band how (?:many|much)\b => oneFigure
\b(?:still|yet)\b => stateless
^how (?:much|many)\b => allRows
^(?:has|have|is|are|did|does|do) (?:anyone|anybody|someone|somebody)\b => impersonal
\bto do\b => taskless
^what (?:did|does|do) .*\b(?:come|go|look|say|mean)\b => figureless
# are all invoices paid
^(?:is|are|was|were|do|does|did|has|have) (?:all|every|each)\b => any => The rows that match do not show whether all rows do. Ask which rows do not.
# when was the latest error, and what happened
\b(what (?:happen(?:s|ed)|(?:is|was|are|were) (?:it|that|they|those)))\b => figures => A calculation does not show "{}". Ask for the row.
# in the 1970s
\b(?:the|in|from) (1[89]\d|20\d)0 ?'?s\b => any => "{}0s" is a decade. Say "between {}0 and {}9".
# parts from every supplier except X, orders by customers from Germany
\b(?:from (?:every|each)|by \w+s (?:from|in|with|who|that|whose))\b => rowsPerGroup => "{}" may mean all rows or a number for each. Say "of" or "per".
# 'are we open' and 'when is the shop open' ask for its hours, not for rows that are open
\b(?:are we|we are|do we|we) (?:open|closed?)\b => any => "{}" may not mean rows that are open. Name the column.
^(?:(?:until |since )?when|(?:at |until )?what time|(?:on )?which days)\b.* (opens?|closed?|closes)(?= (?:[?.]|on|in|at|until|during|today|tomorrow)|$) => hourless => "{}" may not mean rows that are {}. Name the column.
# which sponsor pays the most per year, with the year in which a contract ends
\b(?:pays?|paying|earns?|earning)\b.* per (?:day|week|month|year)\b => perPeriod
# what do we pay everybody per month, with the start of each contract
\bper (?:day|week|month|year)\b => perStart
# tell me their names
\b(?:their|his|her|its)\b => unnamed => It is not clear which rows "{}" means. Ask in one sentence.
# how many members do we have each
\beach(?= [?.!]|$) => undivided => "each" does not say for each of what. Say "per" and a column.
# guests by number of visits, answered with their sum
\bby (?:the )?(?:number|amount|total|sum) of\b => figures ungrouped
# the three heaviest parcels by day
\bby (?:hour|day|week|month|quarter|year)\b => spanned
# which tools are missing, of a list of tools
\b(?:missing|lacking|unknown)\b => nameless
# how many parcels went to Oslo compared to last year
\bcompared? (?:to|with) (?:the )?(?:last|previous) (?:year|month|week|quarter)\b => onePeriod => "{}" needs two periods. Name both: "in 2024 and 2025".
# whose reservation is ready, with a column 'handled_by'
^whose\b => ofDoer => "whose" may not mean {column}. Name the column.
# what has Ann borrowed, with a date in 'borrowed'
\bwhat (?:has|have|had|did|do|does|was|were)\b => ofDeed => "what" does not ask for {column}, which is a time. Name the column to show.
`).map(([said = '', states = '', problem]) => ({
  said: new RegExp(said),
  tests: states.split(' ').map((name) => stateOf[name] ?? fail('NO_STATE', name)),
  problem,
}));

/** The phrase that a statement does not answer. */
export const phraseNotAnswered: Check = (asked) => {
  for (const { said, tests, problem = notAnsweredBy } of phrases) {
    const [all, part = all] = said.exec(asked.text) ?? [];
    if (part !== undefined && tests.every((holds) => holds(asked)))
      return problem.replace(/\{(\w*)\}/g, (_, name) => (name ? (asked.own?.name ?? '') : part));
  }
  return undefined;
};
