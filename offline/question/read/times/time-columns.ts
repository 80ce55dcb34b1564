import type { Token } from '../../../language/lexer.ts';
import { timeParts } from '../../../language/lexicon.ts';
import { rootOf } from '../../../language/verbs.ts';
import type { Column, Table } from '../../table/schema.ts';
import { isParticiple, nameOf } from '../columns/names.ts';
import { isDeed } from '../columns/verbs-of-rows.ts';
import type { Source } from '../grammar.ts';

/** The columns that a time may mean, including a column of years. */
export const timesIn = ({ columns }: Table): readonly Column[] =>
  columns.filter((one) => one.isTime || isOfYears(one));

/** Whether a column has years: `Year`, `built`, `Year of birth`. */
export const isOfYears = (own: Column): boolean =>
  own.isNumber &&
  (nameOf(own) === 'year' ||
    (/^(?:year|published|founded|built|released|born|birth|joined)\b/.test(nameOf(own)) &&
      [...own.values].every((text) => /^(?:1[0-9]|20)\d\d$/.test(text))));

/** Words that rank by age. */
export const ages = /^(?:oldest|newest|youngest|most recent)\b/;

/** The time column that a question means: the only one, or the one that its words name. */
export function timeColumn(source: Source, said: string): Column | undefined {
  const { table, query } = source;
  const isGone = ({ sql }: Column) =>
    query.where.some((one) => one.sql === `(${sql} IS NULL OR ${sql} = '')`);
  const all = table.columns.filter((one) => one.isTime && !isGone(one));
  const named = timesSaid(source, all);
  const other =
    named.length === 0 ? (otherDeed(source.tokens, all) ?? doneThing(source)) : undefined;
  const refuse = (code: string, problem: string) => source.doubt(code, problem, { said });
  if (other)
    return refuse('NOT_UNDERSTOOD', `"${other}" is not the time of a column. Name the column.`);
  const times = all.filter((one) => named.includes(one) || !isOfPerson(table, one));
  // An age is measured from the start.
  const starts = times.filter(({ name }) =>
    times.every(
      (one) =>
        one.name === name || table.spans.some(({ from, to }) => from === name && to === one.name),
    ),
  );
  const deeds = times.filter(({ words: [word = ''] }) => isDeed(table, word));
  // The time of the row itself: `Date` next to `Due`, `started` next to `ended`.
  const dates = times.filter((own) =>
    /^(?:date|time|timestamp|when|started|start|start time|start date)$/.test(nameOf(own)),
  );
  const clear = [
    times.filter(({ name }) => name === table.time),
    ages.test(said) ? starts : [],
    named,
    // An expense has a `date`, and may be `paid_on` another.
    dates.length > 0 && deeds.length > 0 ? [] : [...deeds, ...dates],
  ].find(({ length }) => length === 1);
  const isOrder = /^(?:latest|newest|most recent|earliest|oldest|youngest|last|first)\b/.test(said);
  const isDeniedTime = all.some((own) => placesOf(source, own).some((at) => isDenied(source, at)));
  // `not shipped by June` means neither shipped then nor a time in `shipped`.
  if (isDeniedTime && !isOrder && times.length > 1)
    return refuse(
      'NOT_UNDERSTOOD',
      `It is not clear which time "${said}" means with "not". Name the column.`,
    );
  const [found, ...others] = clear ?? times;
  if (found && others.length === 0) return found;
  if (!found)
    return refuse(
      'NOT_FOUND',
      `"${said}" needs a column of dates (YYYY-MM-DD), and ${table.path} has none.`,
    );
  const names = times.map(({ name }) => `"${name}"`).join(' or ');
  const means = times.map(({ name }) => withTime(said, name));
  const problem = `may mean ${names}. Say ${means.map((one) => `"${one}"`).join(' or ')}.`;
  return source.ambiguous(said, problem, { means, isTime: true });
}

/** A verb for coming, if each time is that of another deed: `who came on a Saturday`, with `joined` and `left`. */
export const otherDeed = (
  tokens: readonly Token[],
  times: readonly Column[],
): string | undefined =>
  times.every(({ words: [word = ''] }) => /(?:ed|en|left|born|birth)$/.test(word))
    ? tokens.find(({ norm }) => /^(?:came|comes?|visit(?:ed|s)?|attend(?:ed|s)?)$/.test(norm))?.text
    : undefined;

/** A deed that is not what the rows record: `everything made before 1840`, of donations. */
const doneThing = ({ tokens, table }: Source): string | undefined =>
  tokens.find(
    ({ norm }, at) =>
      /^(?:every|any|some)thing$/.test(tokens[at - 1]?.norm ?? '') &&
      isParticiple(norm) &&
      (norm === 'made' || !isDeed(table, norm)),
  )?.text;

/** Whether a column of a joined table is a date of a person, such as `joined`, and not of an event. */
const isOfPerson = ({ sql }: Table, { words }: Column): boolean =>
  sql.includes(' JOIN ') &&
  /\w (?:started|joined|left|since|hired|born|birth|birthday|birth date|signed up)$/.test(
    words.join(' '),
  );

/** The time columns that a sentence names, also by their verbs: `due`, `ship` for `Shipped on`. */
export const timesSaid = (source: Source, times: readonly Column[]): readonly Column[] =>
  times.filter((own) => placesOf(source, own).some((at) => !isDenied(source, at)));

/** The indices of the tokens that name a time column. */
const placesOf = ({ tokens, table }: Source, { words }: Column): readonly number[] =>
  tokens.flatMap((token, at) =>
    words.some((word) => isVerbOf(word, token) && !plainTime.test(word) && !isTable(word, table))
      ? [at]
      : [],
  );

/** Whether a verb is negated: `has not been shipped yet`. */
const isDenied = ({ tokens }: Source, at: number): boolean =>
  tokens.slice(Math.max(0, at - 3), at).some(({ norm }) => /n't$|^(?:not|never)$/.test(norm));

/** Whether a word is the name of a joined table, with which its columns begin. */
const isTable = (word: string, { sql, columns }: Table): boolean =>
  sql.includes(' JOIN ') && columns.filter(({ words: [first] }) => first === word).length > 1;

const plainTime =
  /^(?:date|time|day|on|at|by|until|from|to|start|end|first|last|next|when|timestamp)$/;

/** Whether a word is a form of a verb: `close` of `closed`, `pay` of `Paid On`, `overdue` of `due`. */
export function isVerbOf(verb: string, { kind, norm }: Token): boolean {
  const root = rootOf(norm);
  return kind === 'word' && root.length > 1 && root === rootOf(verb);
}

/** Rewords a time so that it names a column. */
function withTime(said: string, name: string): string {
  if (timeParts.has(said)) return `${said} of ${name}`;
  if (/^(?:latest|newest|most recent)/.test(said)) return `sorted by ${name} descending`;
  return /^(?:earliest|oldest)/.test(said) ? `sorted by ${name} ascending` : `${name} in ${said}`;
}
