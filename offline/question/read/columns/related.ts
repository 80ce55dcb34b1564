import { parse } from 'node:path';
import { meansRow } from '../../../language/lexicon.ts';
import { singular } from '../../../language/words.ts';
import { type Condition, inRows, newQuery, sqlOfAll } from '../../sql/query.ts';
import type { Related } from '../../table/schema.ts';
import { looseRule, type Match, type Reads, rule, type Source, single } from '../grammar.ts';
import { nounEnd, rows } from '../rows/rows.ts';
import { timesIn } from '../times/time-columns.ts';
import { column } from './names.ts';
import { stateOf } from './states.ts';
import { isDeed, isDoneBy } from './verbs-of-rows.ts';

/** Conditions on the rows of a related table. */
type Said = Match<readonly Condition[]>;

const articles =
  'a|an|the|any|any of the|any of our|some|one|one of the|our|my|of our|of the|of my|of them|a single|one single|even one|even a single|at least one|a single one of the'.split(
    '|',
  );

const prepositions = 'to|in|at|for|from|on|with|of|part in|to any of'.split('|');

const particles = 'out|up|off'.split('|');

const verbsOfAll =
  /^(?:been|have|had|got|get|made|make|placed|place|did|do|done|received|receive|took|take|taken|came|come|went|go|gone|ran|run|attended|attend|wrote|written|given|gave)$/;

/** The source for words about rows of a related table. */
const within = (source: Source, { table }: Related): Source =>
  source.with({ table, query: newQuery() });

/** Reads a noun for related rows with conditions on them: `successful backup on 2026-10-15`. */
function objectAt(source: Source, related: Related, start: number): Said | undefined {
  const inner = within(source, related);
  const at = source.phraseAt(start, articles)?.end ?? start;
  const found = rows(inner, at);
  // `repair received after …`: the noun, and a condition on it.
  const end = found?.value.isNoun ? found.end : nounEnd(inner, at);
  const stem = source.tokens[(end ?? 0) - 1]?.stem ?? '';
  const { nouns } = related.table;
  if (
    end !== undefined &&
    (nouns.has(stem) || meansRow(stem, nouns)) &&
    !source.table.nouns.has(stem)
  )
    return withMore(inner, found?.end === end ? found.value.where : [], end);
  const object = source.tokens[at]?.stem ?? '';
  return related.objects.has(object) && !source.table.nouns.has(object)
    ? withMore(inner, [], at + 1)
    : undefined;
}

/** Reads the conditions on related rows that follow. */
function withMore(inner: Source, first: readonly Condition[], from: number): Said {
  const next = conditionAt(inner, from);
  return next ? withMore(inner, [...first, next.value], next.end) : { value: first, end: from };
}

const conditionAt = rule('{condition}', ({ condition }) => condition);

/** Reads a verb for what the related rows record: `ordered anything`, `backed up`. */
function deedAt(source: Source, related: Related, start: number): Said | undefined {
  const { table } = related;
  const at = source.phraseAt(start, ['been', 'be'])?.end ?? start;
  const [verb, particle] = [source.tokens[at], source.tokens[at + 1]];
  if (verb?.kind !== 'word' || table.isLog || isDeed(source.table, verb.norm)) return undefined;
  const root = verb.norm.replace(/(?:ed|ing)$/, '');
  const isTwo = table.nouns.has(`${root}${particle?.norm}`);
  if (!isTwo && !isDeed(table, verb.norm)) return undefined;
  return withMore(within(source, related), [], at + (isTwo ? 2 : 1));
}

/** Reads a verb with related rows as its object: `been to a visit`, `finished a book`, `cancelled an order`. */
function doneTo(source: Source, related: Related, start: number): Said | undefined {
  const verb = source.wordAt(start);
  const own = column(within(source, related), start);
  const state = own && stateOf(own.value, true);
  const isVerb = verbsOfAll.test(verb) || isDeed(related.table, verb) || isDoneBy(related.by, verb);
  if (!isVerb && !state) return undefined;
  // `took out a loan`
  const end = state ? own.end : (source.phraseAt(start + 1, particles)?.end ?? start + 1);
  const at = source.phraseAt(end, prepositions)?.end ?? end;
  const found = objectAt(source, related, at);
  return found && { value: [...(state ? [state] : []), ...found.value], end: found.end };
}

const inFile = looseRule(
  '[appear|appears|exist|occur|occurs|show up|shows up|turn up|turns up|come up|listed|mentioned|found] [as [a|an|the] {text}] (in|from) {file}',
  ({ file, text }) => file && { noun: singular(parse(file.text).name), role: text?.stem },
);

type Reader = (source: Source, related: Related, at: number) => Said | undefined;

const inTheirFile: Reader = (source, { noun, by }, at) => {
  const found = inFile(source, at);
  const { role } = found?.value ?? {};
  const isThere = found?.value.noun === noun && (!role || by.words.includes(role));
  return isThere ? { value: [], end: found.end } : undefined;
};

/** Reads such a verb with a condition: `ordered in July`. */
const someDeed: Reader = (source, related, at) => {
  const done = deedAt(source, related, at);
  return done && done.value.length > 0 ? done : undefined;
};

/** Uses the first reader that fits a related table. Only one table may fit. */
function relatedAt(
  source: Source,
  at: number,
  readers: readonly Reader[],
): (Said & { readonly related: Related }) | undefined {
  const { related: all = [] } = source.table;
  for (const read of readers) {
    const fitting = all.flatMap((related) => {
      const said = read(source, related, at);
      return said ? [{ ...said, related }] : [];
    });
    const said = new Set(source.tokens.slice(at).map(({ stem }) => stem));
    const near = fitting.filter(({ related }) => related.isNear);
    const named = near.filter(({ related }) => said.has(related.noun));
    const found = [named, near, fitting].find(({ length }) => length > 0) ?? [];
    const only = single(found);
    if (only) return only;
    const names = found.map(({ related }) => `"${related.noun}"`).join(' or ');
    const message = `The rows of ${names} may be meant. Name one of them.`;
    if (found.length > 0) return source.doubt('AMBIGUOUS', message, { said: names });
  }
  return undefined;
}

/** Reads the words before a negative statement about related rows. */
const lead = rule(
  `[but|and|,] [that|which|who] [have|has|had|did|do|does|are|is|were|was] [i|we|you|they|there] not:(without|with no|with not|having no|lacking|no|not|never|none|nothing|don't|doesn't|didn't|haven't|hasn't|hadn't|aren't|isn't|weren't|wasn't) [have|has] [ever|yet]`,
  () => true as const,
);

const having = rule(
  '[but|and|,] (with|having|[who|that|which] (have|has|had))',
  () => true as const,
);

const whoDid = rule('[but|and|,] (who|that) [have|has|had|also] [ever]', () => true as const);

const after =
  'a single one of|a single one|one of|any of|anything|anyone|anybody|any|at all|yet|so far|ever'.split(
    '|',
  );

/** A condition that a row has or lacks related rows: `customers without orders`, `who never ordered`. */
const relation =
  (isDenied: boolean, head: Reads<true>, readers: readonly Reader[]): Reads<Condition> =>
  (source, start) => {
    const first = head(source, start);
    const found = first && relatedAt(source, first.end, readers);
    if (!found) return undefined;
    const end = source.phraseAt(found.end, after)?.end ?? found.end;
    // `not ordered since March` is not about another time of the customer.
    const next = conditionAt(source, end);
    const isTimed = next && /strftime|date\(/.test(next.value.sql) && !next.value.column;
    if (isTimed && timesIn(found.related.table).length > 0 && !column(source, end))
      return undefined;
    return { value: existing(source, isDenied, found), end };
  };

function existing(
  { table, query }: Source,
  isDenied: boolean,
  { related, value: where }: Said & { readonly related: Related },
): Condition {
  const test = where.length > 0 ? ` AND ${sqlOfAll(where)}` : '';
  const words = where.map((one) => one.words).join(' and ');
  const some = `EXISTS (SELECT 1 ${related.sql}${test})`;
  const [own = query.subject] = query.measures.flatMap(({ fn, of }) =>
    fn === 'distinct' ? (of ?? []) : [],
  );
  // A country has no orders if none of its customers has.
  const isOfRows = own === undefined || own === 'rows' || own.column?.values.size === table.rows;
  return {
    sql: isDenied ? (isOfRows ? `NOT ${some}` : inRows(own, table, some)) : some,
    words: `there is ${isDenied ? 'no' : 'a'} ${related.noun}${words && ` where ${words}`}`,
  };
}

const denial = rule(
  "[that|which|who] not:([has|have|had|was|were|is|are] never|(have|has|had) not|haven't|hasn't|hadn't) word:[been] [{text}]",
  ({ not, word, text }, { table }) => {
    const isVerb = !text || verbsOfAll.test(text.norm) || isDeed(table, text.norm);
    return isVerb && (word ?? text) ? { isNever: not?.endsWith('never') === true } : undefined;
  },
);

/** Reads `never` about all rows of the same value: `volunteers who have never done laundry`, with a table of shifts. */
export const never: Reads<Condition> = (source, start) => {
  const { table, query } = source;
  const own = query.subject === 'rows' ? undefined : query.subject;
  const isOnce = !own?.column || own.column.values.size === table.rows || table.joins;
  const lead = isOnce ? undefined : denial(source, start);
  const said = lead && withMore(source, [], lead.end);
  const isOfValue = said?.value[0]?.value !== undefined;
  if (!own || !said || said.value.length === 0 || !(isOfValue || lead.value.isNever))
    return undefined;
  const words = said.value.map((one) => one.words).join(' and ');
  const sql = inRows(own, table, sqlOfAll(said.value));
  return { value: { sql, words: `never ${words}` }, end: said.end };
};

/** Rows whose key refers to no row: `orders with a customer that does not exist`. */
const orphaned: Reads<Condition> = rule(
  '(with|by|of|for|from|whose) [a|an|the|our] {text} [that|which|who] (does not exist|do not exist|does not exist|do not exist|is unknown|are unknown|is not in {file}|are not in {file}|is not in the list|are not in the list)',
  ({ text }, { table }) => {
    const own = table.columns.find(({ owner }) => owner?.noun === text.stem);
    const link = own?.link;
    return own && link
      ? {
          sql: `${own.owner?.key} IS NULL AND ${link} IS NOT NULL AND ${link} <> ''`,
          words: `there is no ${text.stem} with its ${link}`,
        }
      : undefined;
  },
);

/** Conditions on the rows of related tables. */
export const relatedConditions: readonly Reads<Condition>[] = [
  orphaned,
  relation(true, lead, [objectAt, doneTo, deedAt, inTheirFile]),
  relation(false, having, [objectAt]),
  relation(false, whoDid, [doneTo, someDeed, inTheirFile]),
];
