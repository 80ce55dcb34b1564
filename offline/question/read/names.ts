import type { Token } from '../../language/lexer.ts';
import { deeds, rowNouns, synonyms, timeParts } from '../../language/lexicon.ts';
import { nameWords, singular } from '../../language/words.ts';
import { type Condition, columnValue, type Value } from '../sql/query.ts';
import { type Column, quoteText, type Table } from '../table/schema.ts';
import {
  doubt,
  isWord,
  type Match,
  phraseAt,
  type Reads,
  remembered,
  rule,
  type Source,
  skipArticles,
} from './grammar.ts';

/** Longest name of a column or value in tokens. */
export const MAX_NAME_TOKENS = 7;

export const nameOf = ({ words }: Column) => words.join(' ');

/** A column: by its name in any spelling, by the end of its name, or by a synonym. */
export const column: Reads<Value> = (source, at) => {
  const label = phraseAt(source, at, ['column', 'columns', 'field', 'fields']);
  const found = columnAt(source, label?.end ?? at);
  if (!found) return undefined;
  const { column: own } = found.value;
  const isNoun = own && !own.isNumber && !['name', 'id'].includes(own.words.at(-1) ?? '');
  const after = phraseAt(source, found.end, [
    ...['column', 'columns', 'field', 'fields', 'value', 'values'],
    ...(isNoun && isOnlyName(source, found.end) ? ['name', 'names'] : []),
    ...(own?.isTime ? ['date', 'time'] : []),
    ...(isCount(source, found.end) ? [] : labels(source.table, own?.isNumber === true)),
  ]);
  return { value: found.value, end: after?.end ?? found.end };
};

/** `fuel type` means the fuel, `phone number` the phone, `exam score` the exam, if no column has such a word. */
const labels = ({ columns }: Table, isNumber: boolean): readonly string[] =>
  (isNumber
    ? 'score|scores|point|points|level|levels|length|speed|count'
    : 'type|types|number|numbers|address|addresses|method|methods'
  )
    .split('|')
    .filter((label) => !columns.some(({ words }) => words.includes(singular(label))));

/** `number of orders` after a column counts. */
function isCount({ tokens, table }: Source, at: number): boolean {
  const of = skipArticles({ tokens }, at + 2);
  const { stem = '' } = tokens[of] ?? {};
  return isWord(tokens[at + 1], 'of') && (table.nouns.has(stem) || rowNouns.has(stem));
}

/** `country names` means the country; if the table has a column of names, only at the end. */
function isOnlyName({ table, tokens }: Source, at: number): boolean {
  const next = tokens[at + 1];
  const isAtEnd = next === undefined || next.kind === 'mark' || next.kind === 'file';
  return isAtEnd || !table.columns.some((one) => nameOf(one) === 'name');
}

const asking = /^(?:who|what|when|where|which|how)$/;

const columnAt = remembered((source: Source, at: number): Match<Value> | undefined => {
  // `What was …` asks, even if a column has that name.
  if (at === 0 && asking.test(source.tokens[0]?.norm ?? '')) return undefined;
  const written = writtenAt(source, at);
  if (written) return written;
  const { kind, norm = '', text = '' } = source.tokens[at] ?? {};
  const words = wordsAt(source, at);
  for (let length = words.length; length > 0; length -= 1) {
    const value = columnOf(source, words.slice(0, length).flat().join(' '), text);
    if (value) return { value, end: at + length };
  }
  const value = kind === 'word' ? columnOfVerb(source.table, norm) : undefined;
  return value && { value, end: at + 1 };
});

/** The words of the next tokens that may be a name. */
function wordsAt({ tokens }: Source, start: number): string[][] {
  const ahead = tokens.slice(start, start + MAX_NAME_TOKENS);
  const isName = ({ kind }: Token, at: number) =>
    /^(?:word|quote|code)$/.test(kind) || (kind === 'number' && at > 0);
  const end = ahead.findIndex((token, at) => !isName(token, at));
  return ahead.slice(0, end < 0 ? ahead.length : end).map(({ text }) => nameWords(text));
}

/** A name with punctuation, such as `Cost ($)`, letter by letter. */
function writtenAt({ tokens, table }: Source, at: number): Match<Value> | undefined {
  for (const one of table.columns) {
    if (!/[^\p{L}\p{N}_\s]/u.test(one.name)) continue;
    const goal = one.name.toLowerCase().replace(/\s/g, '');
    let text = '';
    for (let end = at; text.length < goal.length && end < tokens.length; end += 1) {
      text += tokens[end]?.norm.replace(/\s/g, '') ?? '';
      if (text === goal) return { value: columnValue(one), end: end + 1 };
    }
  }
  return undefined;
}

/** Words that are too general for the longer name of a column. */
const general =
  /^(?:name|id|date|time|number|total|count|value|type|key|first|last|line|row|code|max|min|on|at|in|by|to|of)$/;

/** Units at the end of the names of columns. */
export const unitWords =
  'ms|m|s|sec|min|minute|h|hour|usd|eur|gbp|chf|kg|g|km|kmh|cm|mm|m2|m3|m²|m³|l|ml|kwh|kw|w|c|f|kb|mb|gb|pct|percent|per month|per year|per day|per hour|per unit';

/** The column that a phrase names, the surest way first. */
function columnOf(source: Source, phrase: string, said: string): Value | undefined {
  const { columns, nouns } = source.table;
  const spelled = columns.find(({ name }) => name === said && phrase === said.toLowerCase());
  if (spelled) return columnValue(spelled);
  const where = (fits: (name: string, one: Column) => boolean) =>
    columns.filter((one) => fits(nameOf(one), one));
  const named = where((name) => name === phrase);
  if (named.length > 0) return only(source, named, phrase);
  if (nouns.has(phrase)) return undefined;
  if (phrase === 'id')
    return where((_name, { words: [of = '', id] }) => id === 'id' && nouns.has(of)).map((one) =>
      columnValue(one),
    )[0];
  const names = synonyms.flatMap(([words, others]) => (words.includes(phrase) ? others : []));
  const meant = names.flatMap((name) => where((own) => own === name))[0];
  if (meant) return columnValue(meant, `${phrase} = ${meant.name}`);
  if (general.test(phrase)) return undefined;
  const rest = (pattern: string) => new RegExp(`^${phrase.replace(/\W/g, '\\$&')} (?:${pattern})$`);
  const ways = [
    where((name) => name.endsWith(` ${phrase}`) && !name.endsWith(` per ${phrase}`)),
    where((name) => rest('name|title').test(name)),
    where((name) => rest(unitWords).test(name)),
    where((name, { isTime }) => isTime && rest('on|at|date|day|time').test(name)),
    where((name, { isLink }) => !isLink && rest('id|no|nr|number').test(name)),
    // `accuracy` for `val_acc`
    where((_name, { words }) => isShortFor(words.at(-1) ?? '', phrase)),
    where(
      (name, { isTime }) =>
        isTime &&
        /^\w{3,} (?:date|day|time)$/.test(phrase) &&
        name.startsWith(phrase.replace(/ \w+$/, '')),
    ),
  ];
  const found = ways.find(({ length }) => length > 0);
  return found && only(source, found, phrase);
}

const isShortFor = (short: string, phrase: string): boolean =>
  /^\w{6,}$/.test(phrase) &&
  !phrase.endsWith('ing') &&
  short.length > 2 &&
  short !== phrase &&
  phrase.startsWith(short);

function only(source: Source, columns: readonly Column[], said: string): Value | undefined {
  const [first, ...others] = columns;
  if (first && others.length === 0) return columnValue(first);
  const names = columns.map(({ name }) => `"${name}"`).join(' or ');
  return doubt(
    source,
    'AMBIGUOUS',
    `"${said}" may mean ${names}: use the full name of the column.`,
  );
}

/** The column that a participle is about: `hired` is `hire_date`, `rated` is `rating`, `managed` is `manager`. */
function columnOfVerb({ columns }: Table, verb: string): Value | undefined {
  const root = /^(.{3,}?)(?:e?d)$/.exec(verb.replace(/(.)\1ed$/, '$1ed'))?.[1];
  if (root === undefined) return undefined;
  const own = new RegExp(`^${root.replace(/\W/g, '\\$&')}(?:e|ed|ing|er|or|ion|ation|ment)?$`);
  const found = columns.filter(
    ({ words: [first = '', ...rest], isTime }) => own.test(first) && (isTime || rest.length === 0),
  );
  return found.length === 1 && found[0]
    ? columnValue(found[0], `${verb} = ${found[0].name}`)
    : undefined;
}

/** A column, or a part of the table's time such as `month`. */
export const dimension: Reads<Value> = (source, start) => {
  const at = skipArticles(source, start);
  const part = timePart(source, at);
  const found = column(source, at);
  const own = found?.value.column;
  if (found && !(part && own?.isTime && nameOf(own) !== 'date')) return found;
  if (!part) return undefined;
  const { name, sqlOf } = part.value;
  const of = ofTime(source, part.end);
  if (!of && !source.table.columns.some(({ isTime }) => isTime)) return undefined;
  const timed = of ? undefined : timeColumn(source, name);
  const time = of?.value ?? (timed && columnValue(timed));
  if (!time || !hasPart(time, name)) return undefined;
  const value = { sql: sqlOf(time.sql), words: name, part: name, column: time.column };
  return { value, end: of?.end ?? part.end };
};

/** Dates have no hours. */
const hasPart = ({ column: own }: Value, name: string): boolean =>
  !name.startsWith('hour') ||
  !own?.values.size ||
  [...own.values].some((text) => text.includes(':'));

/** `month`, `hour of the day` */
function timePart(source: Source, at: number) {
  const { stem = '', kind } = source.tokens[at] ?? {};
  const more = { hour: ['of the day', 'of day', 'of a day'], day: ['of the week', 'of week'] };
  const ofDay = phraseAt(source, at + 1, more[stem as keyof typeof more] ?? []);
  const name = ofDay ? (stem === 'day' ? 'weekday' : 'hour of the day') : stem;
  const sqlOf = kind === 'word' ? timeParts.get(name) : undefined;
  return sqlOf && { value: { name, sqlOf }, end: ofDay ? ofDay.end : at + 1 };
}

/** `of order_date` */
const ofTime = rule('(of [the]|from the|in) {column}', ({ column: found }) =>
  found.column?.isTime ? found : undefined,
);

/** The one column of time. */
export function timeColumn(source: Source, said: string): Column | undefined {
  const { table } = source;
  const times = table.columns.filter(({ isTime }) => isTime);
  const deed = times.filter(({ words: [word = ''] }) => isDeed(table, word));
  // `Date` beside `Due`, `started` beside `ended`: the row's own time.
  const own = times.filter(({ words }) =>
    /^(?:date|time|timestamp|started|start|start time|start date)$/.test(words.join(' ')),
  );
  const isOtherSaid = source.tokens.some(({ norm }) =>
    times.some((one) => one !== own[0] && one.words[0] === norm),
  );
  const clear = [deed, isOtherSaid ? [] : own].find(({ length }) => length === 1);
  const [found, ...others] = clear ?? times;
  if (found && others.length === 0) return found;
  if (!found)
    return doubt(
      source,
      'NOT_FOUND',
      `"${said}" needs a column of dates (YYYY-MM-DD), and ${table.path} has none.`,
    );
  const names = times.map(({ name }) => `"${name}"`).join(' or ');
  const sayings = times.map(({ name }) => `"${withTime(said, name)}"`).join(' or ');
  return doubt(source, 'AMBIGUOUS', `"${said}" may go by ${names}: say ${sayings}.`);
}

/** The words for a time with the name of a column. */
function withTime(said: string, name: string): string {
  if (timeParts.has(said)) return `${said} of ${name}`;
  if (/^(?:latest|newest|most recent)/.test(said)) return `sorted by ${name} descending`;
  return /^(?:earliest|oldest)/.test(said) ? `sorted by ${name} ascending` : `${name} in ${said}`;
}

/** Whether a verb is about what the rows of this table record: `requested` for a log, `borrowed` for loans, `train` for trainings. */
export const isDeed = (table: Table, verb: string): boolean =>
  (table.isLog && !table.columns.some(({ words }) => words.includes(verb))) ||
  isKnownDeed(table, verb) ||
  [...table.nouns].some((noun) => {
    const stem = noun.replace(/e$/, '');
    const root = verb.replace(/(?:e?d|ing)$/, '');
    const isOfNoun = verb.startsWith(stem) && verbEnd.test(verb.slice(stem.length - 1));
    const isOfVerb = noun.startsWith(root) && nounEnds.test(noun.slice(root.length));
    return (noun.length > 2 && isOfNoun) || (root.length > 3 && isOfVerb);
  });

/** Whether a verb of the vocabulary is about what the rows of this table record. */
const isKnownDeed = ({ nouns }: Table, verb: string): boolean =>
  deeds.some(([noun, verbs]) => nouns.has(noun) && verbs.includes(verb));

/** The last letter of a noun, perhaps doubled, and the end that makes it a verb: `n` and `ned` of `plan`. */
const verbEnd = /^(.)\1?(?:e?[sd]|e|ing|ers?)?$/;

/** What makes a verb a noun: `rental`, `delivery`, `donation`. */
const nounEnds = /^(?:e|s|ings?|al|y|e?ment|(?:at)?ion)?$/;

export const equals = (own: Column, value: string): Condition =>
  own.isList
    ? {
        sql: `EXISTS (SELECT 1 FROM json_each(${own.sql}) WHERE CAST(value AS TEXT) = ${quoteText(value)})`,
        words: `${own.name} has ${value}`,
      }
    : {
        ...{ column: own, value, words: `${own.name} is ${value}` },
        sql: `${own.sql} = ${own.isNumber && /^-?\d+(?:\.\d+)?$/.test(value) ? value : quoteText(value)}`,
      };

/** A list with all of these values. */
export function listHolding(own: Column, values: readonly string[]): Condition {
  const all = values.map((value) => equals(own, value).sql);
  return { sql: `(${all.join(' AND ')})`, words: `${own.name} has ${values.join(' and ')}` };
}

/** Whether `requested most often` follows, perhaps after `is`. */
export const isHowOften = ({ tokens }: Source, at: number): boolean =>
  [0, 1, 2].some(
    (ahead) =>
      /^(?:most|least)$/.test(tokens[at + ahead]?.norm ?? '') &&
      /^(?:often|frequently|times)$/.test(tokens[at + ahead + 1]?.norm ?? ''),
  );

export const isOneOf = (source: Source, at: number, words: string): boolean =>
  words.split('|').some((word) => isWord(source.tokens[at], word));
