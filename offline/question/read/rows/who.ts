import type { Token } from '../../../language/lexer.ts';
import { TaskError } from '../../../task-error.ts';
import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import { isDeed, isDoneBy } from '../columns/verbs-of-rows.ts';
import { type Reads, rule, type Source, single } from '../grammar.ts';

/** Nouns for persons, in the singular. */
export const persons =
  /^(?:person|user|login|employee|author|actor|customer|client|member|student|pupil|patient|rep|salesperson|seller|driver|assignee|owner|teacher|tutor|trainer|player|runner|tenant|doctor|agent|winner|artist|director|guest|reporter|contact|donor|buyer|participant|worker|staff|borrower|reader|volunteer|who|coach|host|vet|lecturer|child|candidate|inspector|keeper|manager|supervisor|leader|captain|mechanic|nurse|cleaner|courier|rider|walker|guide|farmer|gardener|cook|chef|scout|musician|singer|climber|swimmer|skipper|pilot|technician|engineer|instructor|operator|guard|conductor|composer|editor|curator|secretary|treasurer|referee|waiter|by|name)$/;

/** Whether the values of a column may be names. */
const isNamed = ({ isNumber, isTime, isLink, values }: Column): boolean =>
  !isNumber && !isTime && !isLink && !/^[{\d]/.test([...values][0] ?? '');

const isPerson = (own: Column): boolean => isNamed(own) && isPersonal(own.words);

/** Whether a column name means persons: `customer`, `customer name`, `full name`, but not `service name`. */
function isPersonal(words: readonly string[]): boolean {
  const [last = '', before] = words.toReversed();
  const isOfThing =
    last === 'name' &&
    before !== undefined &&
    !/^(?:first|last|full|family|given|user|display)$/.test(before);
  return words.join(' ') !== 'user agent' && persons.test((isOfThing ? before : last) ?? '');
}

const isDoerOf = (own: Column, tokens: readonly Token[]): boolean =>
  tokens.some(({ kind, norm }) => kind === 'word' && isDoneBy(own, norm));

/** Whether a column names who does what a verb says: `picker` for `picked`. */
const isDoer = (own: Column, tokens: readonly Token[]): boolean =>
  isNamed(own) && /(?:er|or)$/.test(own.words.join(' ')) && isDoerOf(own, tokens);

/** Whether a name is that of what somebody owns: of an animal with an `owner_id`. */
const isOwned = ({ words: own }: Column, { columns, nouns }: Table): boolean =>
  own.join(' ') === 'name' &&
  columns.some(({ words: [of = '', id] }) => id === 'id' && persons.test(of) && !nouns.has(of));

/** The column of persons: the only one, or the one that a verb of the sentence is about. */
export function personOf(source: Source): Column | undefined {
  const { table, tokens } = source;
  const all = table.columns.filter((one) => isPerson(one) && !isOwned(one, table));
  const doers =
    all.length > 0
      ? all.filter((one) => isDoerOf(one, tokens))
      : table.columns.filter((one) => isDoer(one, tokens));
  // Who borrowed is in the loans, not the author of their books.
  const isOfRows = tokens.some(({ kind, norm }) => kind === 'word' && isDeed(table, norm));
  const own = isOfRows && doers.length === 0 ? all.filter(({ link }) => !link) : doers;
  return single(all) ?? single(own);
}

/** Whether a row is a person or names the one who is meant: the only one, or who does what a verb says. */
export function hasPersons(table: Table, tokens: readonly Token[]): boolean {
  // `people` of a booking is a number.
  const isHere = ({ words, isNumber }: Column) =>
    isPersonal(words) && !(isNumber && words.at(-1) === 'person');
  const all = table.columns.filter((one) => isHere(one) && !isOwned(one, table));
  return isOfPersons(table) || all.length === 1 || all.some((one) => isDoerOf(one, tokens));
}

/** Whether a noun for a row is one for a person. */
export const hasPersonNoun = ({ nouns }: Table): boolean =>
  [...nouns].some((noun) => persons.test(noun));

/** The column that names who does what a verb says with things: `supplier` for `who supplies Otoclean`. */
const doerOf = ({ table, tokens }: Source): Column | undefined =>
  hasPersonNoun(table) ? undefined : single(table.columns.filter((one) => isDoer(one, tokens)));

/** Whether each row is a person. */
export const isOfPersons = (table: Table): boolean =>
  hasPersonNoun(table) || /^(?:name|person)$/.test(table.columns[0]?.words.join(' ') ?? '');

/** Whether `who` does not mean this column: `who have we paid`. Who comes to a training is not its coach. */
const isOther = (verb: string): boolean =>
  /^(?:have|had|did|do|does) (?:we|i|you|they) /.test(verb);

/** Whether a verb is about guests and the column about staff, or the other way round. */
const isOfOthers = (verb: string, own: Column | undefined): boolean =>
  (/\bwork(?:s|ed|ing)?\b/.test(verb) && clients.test(own?.words[0] ?? '')) ||
  (/\b(?:came|comes?|fail|pass|attend|lives?|lived|stay|rent|visit|paid|pays?|owes?|ordered|booked)|^(?:is|are|was|were) (?:at|called|invited|asked)\b/.test(
    verb,
  ) &&
    staff.test(own?.words[0] ?? ''));

const clients = /^(?:customer|client|guest|buyer|donor|patient|tenant|borrower|visitor)$/;

const staff =
  /^(?:instructor|coach|teacher|trainer|tutor|lecturer|host|director|nurse|doctor|vet|manager|keeper|cleaner|mechanic|inspector|captain|leader|supervisor|agent)$/;

/** Whether `who` behind a token asks, and does not begin a relative clause. */
const isAskedAfter = (before: Token | undefined): boolean =>
  !before || before.kind === 'mark' || /^(?:and|which|what|there)$/.test(before.norm);

/** Reads `who` and `whose`: the persons in the rows. */
export const who: Reads<true> = (source, at) => {
  const { query, tokens, table } = source;
  const isSaid = /^(?:who|whose|who's|people|persons|anyone|anybody)$/.test(source.wordAt(at));
  if (!isSaid || query.subject !== undefined) return undefined;
  const role = roleAt(source, at + 1);
  const own =
    role?.value.column ?? doerOf(source) ?? (isOfPersons(table) ? undefined : personOf(source));
  const verb = source.textOf(at + 1, at + 4);
  const problem = `"who" may not mean ${own?.name ?? 'the rows'}. Name the column.`;
  if (isOfOthers(verb, own)) throw new TaskError('NOT_UNDERSTOOD', problem);
  if (isOther(verb)) return source.doubt('NOT_UNDERSTOOD', problem, { said: 'who' });
  if (!isAskedAfter(tokens[at - 1]) || !(own ?? isOfPersons(table))) return undefined;
  query.subject = own ? columnValue(own) : 'rows';
  query.subjectIsPlural = false;
  return { value: true, end: role?.end ?? at + 1 };
};

/** Reads a column of persons: `is the host` of `who is the host of Classics`. */
const roleAt: Reads<Value> = rule('(is|are|was|were) [the|our|my] {column}', ({ column: own }) =>
  own.column && isPerson(own.column) ? own : undefined,
);

const places =
  /^(?:place|location|venue|town|city|country|shop|store|room|site|depot|district|region|station)$/;

/** The one column of places. */
export const placeOf = ({ columns }: Table): Column | undefined =>
  single(columns.filter((one) => !one.isNumber && places.test(one.words.at(-1) ?? '')));

/** Reads `where`, if there is one column of places: `where do we train most often`. */
export const where: Reads<true> = (source, at) => {
  const { query, table } = source;
  const only = at === 0 && source.wordAt(at) === 'where' ? placeOf(table) : undefined;
  if (!only || query.subject !== undefined) return undefined;
  query.subject = columnValue(only);
  return { value: true, end: at + 1 };
};

/** Whether a value can answer `who`. */
export const isWho = ({ column }: Value, table: Table, tokens: readonly Token[] = []): boolean =>
  column !== undefined &&
  (isPerson(column) ||
    isDoer(column, tokens) ||
    column === table.columns[0] ||
    (column.words.includes('name') && isPersonal(column.words)));
