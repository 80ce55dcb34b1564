import { countryName } from '../../../language/countries.ts';
import type { Token } from '../../../language/lexer.ts';
import { fillers, weekdays } from '../../../language/lexicon.ts';
import { hasSingular, singular } from '../../../language/words.ts';
import { anyOf, type Condition, type Value } from '../../sql/query.ts';
import { quoteText } from '../../sql/quote.ts';
import type { Column, Table } from '../../table/schema.ts';
import { MAX_NAME_TOKENS } from '../columns/names.ts';
import { type Match, type Reads, remembered, type Source, single } from '../grammar.ts';
import { hasPersonNoun } from '../rows/who.ts';
import { amount, amountFor } from './amounts.ts';
import { equals, listHolding } from './equals.ts';

/** Reads a value of any text column: `DE`, `paid`, `Fitness Equipment`. A noun for all rows is none: `members`. */
export const value: Reads<Condition> = remembered((source, at) => {
  const { kind, stem = '' } = source.tokens[at] ?? {};
  const found = matchValue(source, at, undefined);
  if (found?.end === at + 1 && kind === 'word' && source.table.nouns.has(stem)) return undefined;
  return found && { value: equals(found.value.own, found.value.text), end: found.end };
});

interface Known {
  readonly own: Column;
  readonly text: string;
}

function matchValue(
  source: Source,
  at: number,
  wanted: Column | undefined,
): Match<Known> | undefined {
  const isText = ({ isNumber, isTime, truth }: Column) => !isNumber && !isTime && !truth;
  const texts = source.table.columns.filter(isText);
  for (let length = MAX_NAME_TOKENS; length > 0; length -= 1) {
    const said = textAhead(source, at, length);
    if (said === undefined) continue;
    const fitting = (wanted ? [wanted] : texts).flatMap((own) => {
      const isLoose = wanted ?? !(plainWords.has(said) || isNameOf(source, at, length));
      const text = isLoose ? valueLike(own, said, source.table) : spelled(own, said);
      return text === undefined ? [] : [{ own, text }];
    });
    const [first, second] = fitting.filter(({ own }) => !isRepeated(own, fitting));
    if (first && second) return severalColumns(source, said, fitting);
    if (first) return { value: first, end: at + length };
  }
  return firstName(source, at, wanted ? [wanted] : texts);
}

/** Reads a first name, if only one value begins with it: `Gareth`. */
function firstName(
  source: Source,
  at: number,
  columns: readonly Column[],
): Match<Known> | undefined {
  const { kind, text = '' } = source.tokens[at] ?? {};
  if (kind !== 'word' || !/^\p{Lu}\p{Ll}{2,}$/u.test(text) || at === 0) return undefined;
  if (!source.table.isWhole) return undefined;
  const fitting = columns.flatMap((own) => {
    const found = single([...own.values].filter((one) => one.startsWith(`${text} `)));
    return found === undefined ? [] : [{ own, text: found }];
  });
  const only = single(fitting);
  return only && { value: only, end: at + 1 };
}

/** Whether a value is repeated in another column: an endpoint of an access log is its path without ids, and a key the name that it refers to. */
const isRepeated = ({ name, link }: Column, fitting: readonly Known[]): boolean =>
  fitting.some(({ own }) => (name === 'endpoint' && own.name === 'path') || own.sql === link);

function severalColumns(source: Source, said: string, fitting: readonly Known[]): undefined {
  const names = fitting.map(({ own }) => `"${own.name}"`).join(' and ');
  const problem = `is a value of ${names}. Name the column: "${fitting[0]?.own.name} ${said}".`;
  return source.ambiguous(said, problem);
}

/** The next tokens as text; undefined if there are fewer, or if one can't be part of a value. */
function textAhead({ tokens }: Source, at: number, length: number): string | undefined {
  const part = tokens.slice(at, at + length);
  const isValue = (token: Token | undefined) => token !== undefined && token.kind !== 'mark';
  const [first] = part;
  if (part.length < length || !isValue(first) || !isValue(part.at(-1))) return undefined;
  if (
    ['glob', 'op', 'date'].includes(first?.kind ?? '') ||
    part.some(({ kind }) => kind === 'file')
  )
    return undefined;
  return part
    .map(({ text, start }, i) => (i > 0 && (part[i - 1]?.end ?? 0) < start ? ` ${text}` : text))
    .join('');
}

/** Common short words that are codes in some tables: IT, US, NO. */
const plainWords = new Set(
  'it us no is in on at to me my we be am an as by do go or so'.split(' '),
);

/** Whether a word in small letters is the name of a column: `fees`, with a dog `Fee`. */
const isNameOf = ({ tokens, table: { columns } }: Source, at: number, length: number): boolean =>
  length === 1 &&
  !/\p{Lu}/u.test(tokens[at]?.text ?? '') &&
  columns.some(({ words }) => words.join(' ') === tokens[at]?.stem);

const spelled = ({ values }: Column, said: string) => (values.has(said) ? said : undefined);

/** The value of a column that a text means. Case may differ, and singular or plural. */
function valueLike({ values, words }: Column, said: string, table: Table): string | undefined {
  if (values.has(said)) return said;
  const goal = said.toLowerCase();
  const all = [...values];
  // The sex of an animal is neither `men` nor `women`.
  const isOther = /^(?:wo)?m[ae]n$/.test(goal) && !hasPersonNoun(table);
  const spell = longForms.find(([name]) => !isOther && words.some((word) => name.test(word)))?.[1];
  const short = spell && all.find((one) => spell(one).some((long) => long?.toLowerCase() === goal));
  if (short !== undefined) return short;
  const same = all.find((one) => one.length === said.length && one.toLowerCase() === goal);
  const meant = outcomes.filter((pattern) => pattern.test(goal));
  const stem =
    goal.length > 3 ? singular(goal) : /^\p{Lu}{2}s$/u.exec(said) ? goal.slice(0, 2) : undefined;
  return (
    same ??
    (meant.length > 0
      ? all.find((one) => meant.some((pattern) => pattern.test(one)))
      : undefined) ??
    (stem === undefined ? undefined : all.find((one) => hasSingular(one, stem)))
  );
}

/** The long form of a code, depending on the name of its column: `Germany` for `DE`, `Tuesday` for `Tue`. */
const longForms: readonly (readonly [
  column: RegExp,
  (code: string) => readonly (string | undefined)[],
])[] = [
  [/^(?:country|nation|market)$/, (code) => [/^[A-Z]{2}$/.test(code) ? countryName(code) : code]],
  [
    /^(?:sex|gender)$/,
    (code) =>
      /^(?:f|female)$/i.test(code)
        ? ['female', 'females', 'woman', 'women']
        : /^(?:m|male)$/i.test(code)
          ? ['male', 'males', 'man', 'men']
          : [code],
  ],
  // `T` may be two days.
  [
    /^(?:day|weekday)$/,
    (code) => weekdays.filter((day) => code[1] && day.startsWith(code.toLowerCase())),
  ],
];

/** Words with the same meaning: `failed` means the value `failure`. */
const outcomes = [
  /^(?:fail|fails|failed|failures?|failing)$/i,
  /^(?:succeed|succeeds|succeeded|success|successful|ok)$/i,
  /^(?:pass|passes|passed|passing)$/i,
  /^(?:cancel|cancelled|canceled|cancellations?)$/i,
  /^(?:complete|completed|completions?)$/i,
  /^(?:absent|absences?)$/i,
  /^(?:reject|rejected|rejections?)$/i,
  /^(?:approve|approved|approvals?)$/i,
  /^(?:refund|refunds|refunded)$/i,
  /^(?:delay|delays|delayed)$/i,
];

const conjunctions = [', or', ', and', 'or', 'and', ','];

/**
 * Reads values of a column: `DE`, `DE or FR`, `DE, FR and IT`.
 *
 * @param isSure Whether a value must follow. Then an unknown value is an error.
 */
export function valuesOf(
  source: Source,
  start: number,
  { own, op, isSure }: { own: Column; op: '=' | '<>'; isSure: boolean },
): Match<Condition> | undefined {
  // `A` in `grade A` is a value, not an article.
  const isValue = own.values.has(source.tokens[start]?.text ?? '');
  const words = isValue ? [] : ['either', 'one of', 'the', 'a', 'an', 'of the'];
  const lead = source.phraseAt(start, words);
  let last = oneValue(source, lead?.end ?? start, own, isSure);
  const found: string[] = [];
  let end = start;
  let isEach = false;
  while (last) {
    found.push(last.value);
    end = last.end;
    const joint = source.phraseAt(end, conjunctions);
    isEach ||= joint?.value.endsWith('and') === true && op === '=';
    last = joint && oneValue(source, joint.end, own, false);
  }
  if (found.length === 0) return undefined;
  if (own.isList && isEach) return { value: listHolding(own, found), end };
  const value = membership(own, found, op);
  return { value: isEach && found.length > 1 ? { ...value, each: own } : value, end };
}

/** A condition that a column has one of the values, or with `<>` none of them. */
export function membership(own: Column, values: readonly string[], op: '=' | '<>'): Condition {
  const [first = ''] = values;
  const is = op === '=' ? 'is' : 'is not';
  if (own.isList) {
    const any = anyOf(values.map((value) => equals(own, value)));
    return op === '=' ? any : { sql: `NOT ${any.sql}`, words: `not (${any.words})` };
  }
  if (values.length === 1) {
    const one = equals(own, first);
    return op === '='
      ? one
      : {
          sql: one.sql.replace(' = ', own.hasEmpty ? ' IS NOT ' : ' <> '),
          words: `${own.name} ${is} ${first}`,
        };
  }
  const list = values.map((one) => (own.isNumber ? one : quoteText(one))).join(', ');
  return {
    column: own,
    sql: `${own.sql} ${op === '=' ? 'IN' : 'NOT IN'} (${list})`,
    words: `${own.name} ${is} ${values.join(' or ')}`,
  };
}

function oneValue(
  source: Source,
  at: number,
  own: Column,
  isSure: boolean,
): Match<string> | undefined {
  const token = source.tokens[at];
  if (token === undefined || token.kind === 'mark' || token.kind === 'op') return undefined;
  if (own.isNumber) return numberValue(source, at, own);
  const known = matchValue(source, at, own);
  if (known) return { value: known.value.text, end: known.end };
  const isLiteral = /^(?:quote|code|date)$/.test(token.kind);
  if (!isLiteral && (!isSure || isFiller(token))) return undefined;
  if (source.table.isWhole && own.values.size > 0) return noSuchValue(source, own, token.text);
  return { value: token.text, end: at + 1 };
}

function numberValue(source: Source, at: number, own: Column): Match<string> | undefined {
  const found = amount(source, at);
  const given = found && amountFor(own, found.value);
  return found && given !== undefined ? { value: String(given), end: found.end } : undefined;
}

function noSuchValue(source: Source, { name, values }: Column, said: string): undefined {
  const shown = `${[...values].slice(0, 12).join(', ')}${values.size > 12 ? ', …' : ''}`;
  const message = `No row has "${said}" in ${name}. Values: ${shown}.`;
  return source.doubt('NOT_FOUND', message, { said });
}

/** Reads values of any text column without its name: `from DE`, `in Oslo or Rome`, `in the deck category`. */
export const valueList: Reads<Condition> = (source, at) => {
  const first = value(source, at);
  const own = first?.value.column;
  if (!first || !own) return first;
  const all = valuesOf(source, at, { own, op: '=', isSure: false }) ?? first;
  const named = source.slots['column']?.(source, all.end) as Match<Value> | undefined;
  return named?.value.column === own ? { ...all, end: named.end } : all;
};

/** Whether a word has no influence on the answer: an article, a preposition, a punctuation mark. */
export const isFiller = ({ kind, text, norm, stem, start }: Token): boolean =>
  ['mark', 'file', 'glob'].includes(kind) ||
  (kind === 'op' && text === '-') ||
  fillers.has(norm) ||
  // With a capital letter, it is a name: `in Databases`.
  (fillers.has(stem) && (start === 0 || !/^\p{Lu}/u.test(text)));
