import type { Asked, Check } from './asked.ts';
import { isDeed } from './read/columns/verbs-of-rows.ts';
import { hasPersons, isOfPersons, isWho } from './read/rows/who.ts';
import { otherDeed } from './read/times/time-columns.ts';
import { isCounting } from './sql/measure-sql.ts';
import type { Condition, Value } from './sql/query.ts';
import { containers, down, up } from './used-words.ts';

/** Names the words that a statement does not answer. */
export const notAnswered: Check = (asked) => {
  for (const lackedBy of [
    contradiction,
    voidWord,
    ofRelated,
    worthOf,
    unanswered,
    ownerOf,
    unsaid,
  ]) {
    const word = lackedBy(asked);
    if (word !== undefined)
      return `The question as it was read does not answer "${word}", so nothing is shown. Use the names of columns.`;
  }
  return undefined;
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

/** A word that no condition or calculation expresses: `still`, `how much`, `anyone`, `to do`. */
function unsaid(asked: Asked): string | undefined {
  const { measures, where, subject, rank, table, of } = asked;
  const isOfState = [...where, ...measures.flatMap((one) => one.where)].some(isState);
  const unmet: readonly (readonly [isOpen: boolean, said: RegExp])[] = [
    [!isOfMoney(asked), /^.*/],
    [true, /\bbeen\b.*\blongest\b/],
    // A column named `total` would not be added up.
    [isOneValue(asked) && where.length === 0, /^what (?:is|are|was|were) the total\b/],
    [
      measures.length > 0 && asked.groups.length === 0 && !rank,
      /(?:\band|[,.?:;]) (?:which|which ones?|who)(?: (?:is|are|was|were) (?:it|they|that|those))?(?= [.?!]|$)/,
    ],
    [isOneValue(asked), /\band (?:for |with |on |in )?(?:which|what) \w+/],
    [repeats(asked), /^\S+/],
    // Two numbers, with a condition of the first one.
    [
      new Set(measures.map(({ name }) => name)).size === 1,
      /\bhow (?:many|much)\b.*\band how (?:many|much)\b/,
    ],
    [!(isOfState || rank), /\b(?:still|yet)\b/],
    [isOfAll(asked) && subject === 'rows', /^how (?:much|many)\b/],
    [
      !(isOfPersons(table) || (of && isWho(of, table))),
      /^(?:has|have|is|are|did|does|do) (?:anyone|anybody|someone|somebody)\b/,
    ],
    [!table.nouns.has('task'), /\bto do\b/],
    [measures.length === 0, /^what (?:did|does|do) .*\b(?:come|go|look|say|mean)\b/],
  ];
  return unmet.flatMap(([isOpen, said]) => (isOpen && said.exec(asked.text)?.[0]) || [])[0];
}

/** Whether the statement uses the money formula that the sentence gives, if any. */
const isOfMoney = ({ measures, table: { money }, sql }: Asked): boolean =>
  !money || (sql.includes(money.sql) && measures.every(({ of }) => !of || of.sql === money.sql));

/** Whether a condition is about the state of a row, not about a time or a comparison of numbers. */
const isState = ({ sql }: Condition): boolean =>
  /NULL|<> '|^\(?[^\s(]+ (?:=|IN|IS)|^NOT |EXISTS|coalesce/.test(sql) &&
  !/strftime|date\(/.test(sql);

/** Whether only one column is shown. */
const isOneValue = ({ columns, groups, measures, rank, subject }: Asked): boolean =>
  columns.length + groups.length + measures.length === 0 && !rank && subject !== 'rows';

/** Whether the answer only repeats a value of the question: `who owns Biscuit`, answered with Biscuit. */
const repeats = (asked: Asked): boolean =>
  isOneValue(asked) &&
  !asked.isDistinct &&
  asked.where.some(({ column, value }) => value !== undefined && column === asked.own);
