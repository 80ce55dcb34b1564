import type { Token } from '../../../language/lexer.ts';
import { isSameUnit, kinOf, meansRow, rowNouns, synonyms } from '../../../language/lexicon.ts';
import { rootOf } from '../../../language/verbs.ts';
import { nameWords, withoutUnit } from '../../../language/words.ts';
import { columnValue, type Value } from '../../sql/query.ts';
import { isNumbered } from '../../table/row-nouns.ts';
import type { Column, Table } from '../../table/schema.ts';
import { type Match, type Reads, remembered, type Source, single } from '../grammar.ts';
import {
  columnLabels,
  general,
  heldIn,
  inNumbers,
  isFieldOf,
  isInUnits,
  isShortFor,
  labelOf,
  measuredIn,
  sameAs,
  unnamedColumn,
} from './name-forms.ts';
import { columnOfVerb, isDeed, yearOf } from './verbs-of-rows.ts';

/** Maximum length of the name of a column or value, in tokens. */
export const MAX_NAME_TOKENS = 7;

/** The name of a column in plain words. */
export const nameOf = ({ words }: Column) => words.join(' ');

/** Reads a column by its name in any spelling, by the end of its name, or by a synonym. */
export const column: Reads<Value> = (source, at) =>
  namedColumn(source, at) ?? withLabel(source, columnOfNames(source, at));

const namedColumn = remembered((source: Source, at: number): Match<Value> | undefined => {
  const label = source.phraseAt(at, ['column', 'columns', 'field', 'fields']);
  const named = columnAt(source, label?.end ?? at);
  // `treatment price`, with columns `treatment` and `price`
  const isLong = named !== undefined && named.end > at + 1;
  const found = isLong ? named : (columnOfNoun(source, at) ?? named);
  return withLabel(source, found);
});

/** A column with a word for columns behind it: `country names`, `the amount column`. */
function withLabel(source: Source, found: Match<Value> | undefined): Match<Value> | undefined {
  if (!found) return undefined;
  const { column: own } = found.value;
  const isNoun = own && !isCoded(own) && !['name', 'id'].includes(own.words.at(-1) ?? '');
  const after = source.phraseAt(found.end, [
    ...['column', 'columns', 'field', 'fields', 'value', 'values'],
    ...(isNoun && isOnlyName(source, found.end) ? ['name', 'names'] : []),
    ...(own?.isTime ? ['date', 'time'] : []),
    ...source.table.columns.flatMap(({ words: [noun = ''] }) =>
      own && heldIn(source.table, noun) === own ? [`of ${noun}`] : [],
    ),
    ...unitsAfter(source, found.end, own),
    ...(isCount(source, found.end) || !own ? [] : columnLabels(source.table, own)),
  ]);
  return { value: found.value, end: after?.end ?? found.end };
}

/** Whether a column has codes such as `R3` or numbers, which are no names. */
export const isCoded = ({ values, isNumber }: Column): boolean =>
  isNumber || [...values].every((text) => /\d/.test(text));

/** `in minutes` after a column in minutes. */
const unitsAfter = ({ tokens }: Source, at: number, own: Column | undefined): string[] => {
  const { stem = '', norm = '' } = tokens[at + 1] ?? {};
  const unit = own?.isNumber ? (own.words.at(-1) ?? '') : '';
  return unit === stem || isSameUnit(unit, stem) ? [`in ${norm}`] : [];
};

/** Reads `name` in a table without such a column: the subject, or the column that labels rows. */
function columnOfNames({ tokens, table, query }: Source, at: number): Match<Value> | undefined {
  const isSaid = tokens[at]?.kind === 'word' && tokens[at]?.stem === 'name';
  if (!isSaid || table.columns.some(({ words }) => words.includes('name'))) return undefined;
  const own = (query.subject === 'rows' ? undefined : query.subject?.column) ?? labelOf(table);
  const isNames = own && !own.isNumber && [...own.values].every((text) => !/\d/.test(text));
  return isNames ? { value: columnValue(own, `name = ${own.name}`), end: at + 1 } : undefined;
}

/** Reads a column after a noun for the row: `ticket category`, `membership fee`. */
function columnOfNoun(source: Source, at: number): Match<Value> | undefined {
  const { kind, norm = '' } = source.tokens[at] ?? {};
  const { nouns, columns } = source.table;
  // `invoiced amount` of an invoice
  const isOfDeed =
    norm.endsWith('ed') &&
    isDeed(source.table, norm) &&
    !columns.some(({ words, values }) => words.includes(norm) || values.has(norm));
  const isNoun = nouns.has(norm.replace(/ship$/, '')) || isOfDeed;
  const next = source.tokens[at + 1];
  // `a repair received in May`, `which plant costs the most`
  const isName = next?.kind === 'word' && !isParticiple(next.norm) && !isBeforeMost(source, at + 1);
  return kind === 'word' && isNoun && isName ? columnAt(source, at + 1) : undefined;
}

/** Whether a word is the verb of a ranking: `costs` in `which plant costs the most`. */
export const isBeforeMost = (source: Source, at: number): boolean =>
  /^\S+ (?:the )?(?:most|least)\b/.test(source.normOf(at, at + 3));

/** Whether `number of` after a column starts a count: `number of orders`. */
function isCount(source: Source, at: number): boolean {
  const { tokens, table } = source;
  const of = source.skipArticles(at + 2);
  const { stem = '' } = tokens[of] ?? {};
  // `receipt numbers of all gifts`
  if (source.isWord(at, 'numbers')) return false;
  return source.isWord(at + 1, 'of') && (table.nouns.has(stem) || rowNouns.has(stem));
}

/** Whether `names` only belongs to the column: `country names`. With a column `name`, only at the end. */
const isOnlyName = (source: Source, at: number): boolean =>
  source.isAtEnd(at + 1) || !source.table.columns.some((one) => nameOf(one) === 'name');

const columnAt = remembered((source: Source, at: number): Match<Value> | undefined => {
  if (isAsking(source, at)) return undefined;
  const written = writtenAt(source, at) ?? ofOther(source, at);
  if (written) return written;
  const { kind, norm = '', text = '' } = source.tokens[at] ?? {};
  const words = wordsAt(source, at);
  for (let length = words.length; length > 0; length -= 1) {
    const phrase = words.slice(0, length).flat().join(' ');
    const isField = (one: Column) => isFieldOf(one, phrase, source, at + length);
    const fields = source.table.columns.filter(isField);
    const value = fields.length > 0 ? only(source, fields, phrase) : columnOf(source, phrase, text);
    if (value) return { value: inNumbers(value, source.table), end: at + length };
  }
  const value =
    kind === 'word'
      ? (yearOf(source, at) ?? columnOfVerb(source.table, norm) ?? columnAfterDid(source, at))
      : undefined;
  return value && { value, end: at + 1 };
});

/** `did we rate`, of a column `rating` of numbers */
function columnAfterDid(source: Source, at: number): Value | undefined {
  const isAfterDid =
    /^(?:i|we|you|they)$/.test(source.wordAt(at - 1)) && source.isWord(at - 2, 'did');
  const verb = `${source.wordAt(at)}ed`.replace('eed', 'ed');
  const found = isAfterDid ? columnOfVerb(source.table, verb) : undefined;
  return found?.column?.isNumber ? found : undefined;
}

/** Reads a column of a joined row: `the name of the dog`, with a column `dog name`; `bike type`, with a key `bike_id`. */
function ofOther(source: Source, at: number): Match<Value> | undefined {
  const { tokens, table } = source;
  if (!table.joins) return undefined;
  const isOf = source.isWord(at + 1, 'of');
  const last = isOf ? source.skipArticles(at + 2) : at + 1;
  const [noun, part] = [isOf ? last : at, isOf ? at : last].map((one) => tokens[one]?.stem);
  const key = table.columns.find(({ isLink, words }) => isLink && words[0] === noun);
  const found = table.columns.find(
    (one) =>
      one.link &&
      (nameOf(one) === `${noun} ${part}` || (one.link === key?.sql && one.words.at(-1) === part)),
  );
  return found && { value: columnValue(found), end: last + 1 };
}

/** Whether a word asks, even if a column has this name: `what`, `how many`. */
function isAsking(source: Source, at: number): boolean {
  const said = source.wordAt(at);
  const next = source.wordAt(at + 1);
  if (at === 0 && /^(?:show|list|find|display|report|count)$/.test(said))
    return !/^(?:|and|,|per|by|of|is|are|in|with)$/.test(next);
  if (/^(?:take|takes|took) place$/.test(source.normOf(at - 1, at + 1))) return true;
  if (said === 'how') return /^(?:much|many|long|often|old|do|does|did|is|are)$/.test(next);
  return (
    /^(?:what|when|where|which|why)$/.test(said) && /^(?:|[.,;:]|and)$/.test(source.wordAt(at - 1))
  );
}

/** The words of the following tokens that may be a name. */
function wordsAt({ tokens }: Source, start: number): (readonly string[])[] {
  const ahead = tokens.slice(start, start + MAX_NAME_TOKENS);
  const isName = ({ kind }: Token, at: number) =>
    /^(?:word|quote|code)$/.test(kind) || (kind === 'number' && at > 0);
  const end = ahead.findIndex((token, at) => !isName(token, at));
  return ahead.slice(0, end < 0 ? ahead.length : end).map(({ text }) => nameWords(text));
}

/** Reads a name with punctuation, such as `Cost ($)`. */
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

/** A pattern for participles, as at the end of `tickets_sold`. */
export const participle =
  '\\w{2,}ed|sold|made|given|sent|lent|taken|held|bought|drunk|eaten|spent|run';

const participles = new RegExp(`^(?:${participle})$`);

/** Whether a word is a participle. */
export const isParticiple = (word: string): boolean => participles.test(word);

/** Names of columns with the same meaning. Found rows may lack the endpoint, which is a path without ids. */
const namesFor = (phrase: string, { beginning }: Table): readonly string[] =>
  phrase === 'endpoint' && beginning
    ? []
    : synonyms.flatMap(([words, others]) => (words.includes(phrase) ? others : []));

/** The column that a phrase names. More certain ways are tried first. */
function columnOf(source: Source, phrase: string, said: string): Value | undefined {
  const { columns, nouns } = source.table;
  const spelled = columns.find(({ name }) => name === said && phrase === said.toLowerCase());
  if (spelled) return columnValue(spelled);
  const where = (fits: (name: string, one: Column) => boolean) =>
    columns.filter((one) => fits(nameOf(one), one));
  const named = where(sameAs(phrase));
  // `visits` of visits.csv with a running number `visit` are its rows.
  const isRows = nouns.has(phrase) && said.toLowerCase() !== phrase && named[0]?.isNumber;
  if (named.length > 0 && !isRows) return only(source, named, phrase);
  if (nouns.has(phrase)) return undefined;
  if (phrase === 'id')
    return where((_name, { words: [of = '', id] }) => id === 'id' && nouns.has(of)).map((one) =>
      columnValue(one),
    )[0];
  const names = namesFor(phrase, source.table);
  const kin = meansRow(phrase, nouns) ? [] : kinOf(phrase);
  const ofKin = where((name, own) => !own.isNumber && !own.isTime && kin.includes(name));
  const meant =
    single(ofKin) ?? names.flatMap((one) => where((name) => isInUnits(name, one, measuredIn)))[0];
  const own = meant ?? unnamedColumn(source, phrase, said);
  if (own) return columnValue(own, `${phrase} = ${own.name}`);
  if (general.test(phrase)) return undefined;
  const isBefore = (name: string, pattern: string) =>
    name.startsWith(`${phrase} `) &&
    new RegExp(`^(?:${pattern})$`).test(name.slice(phrase.length + 1));
  const ways: readonly Parameters<typeof where>[0][] = [
    (name) => name.endsWith(` ${phrase}`) && !name.endsWith(` per ${phrase}`),
    (name) => isBefore(name, 'name|title'),
    // `equipment` for the `equipment item` of a joined table
    (_name, own) =>
      own ===
      columns.find((one) => one.link && one.words[0] === phrase && !one.isNumber && !one.isTime),
    (name) => isInUnits(name, phrase),
    // `finish time`, of durations
    (name, { unit }) =>
      unit !== undefined &&
      /^(?:finish(?:ing)?|race|running) /.test(phrase) &&
      phrase.endsWith(` ${name}`),
    // `tickets` for `tickets_sold`
    (name, { isNumber }) => isNumber && isBefore(name, `${participle}|count`),
    // `stay` for `minutes_stayed`; `stays` are counted
    (name, { isNumber, words }) =>
      isNumber &&
      name !== phrase &&
      said.toLowerCase() === phrase &&
      isParticiple(words.at(-1) ?? '') &&
      rootOf(words.at(-1) ?? '') === rootOf(phrase),
    (name, { isTime }) => isTime && isBefore(name, 'on|at|date|day|time'),
    (name, { isLink }) => !isLink && isBefore(name, 'id|no|nr|number'),
    // `accuracy` for `val_acc`, `target temperature` for `target_temp_c`
    (name) => isShortFor(withoutUnit(name).split(' ').at(-1) ?? '', phrase),
    (name) => {
      const [short = '', said = ''] = [withoutUnit(name), phrase].map((one) =>
        one.split(' ').at(-1),
      );
      return isShortFor(short, said) && phrase === withoutUnit(name).replace(/\S+$/, said);
    },
    // `latency` for `p95_latency_ms`
    (name) => withoutUnit(name).endsWith(` ${phrase}`),
    (name, { isTime }) =>
      isTime &&
      /^\w{3,} (?:date|day|time)$/.test(phrase) &&
      name.startsWith(phrase.replace(/ \w+$/, '')),
    // `minutes` for `duration_min`
    (_name, { isNumber, words }) =>
      isNumber && !words.includes('per') && isSameUnit(words.at(-1) ?? '', phrase),
    // `ovens` for a column with `oven-1` and `oven-2`
    (_name, own) => isNumbered(own, phrase),
  ];
  const way = ways.find((fits) => where(fits).length > 0);
  return way && only(source, where(way), phrase);
}

function only(source: Source, columns: readonly Column[], said: string): Value | undefined {
  const [first, ...others] = columns;
  if (first && others.length === 0) return columnValue(first);
  const names = columns.map(({ name }) => `"${name}"`).join(' or ');
  const means = columns.map(({ name }) => name);
  return source.ambiguous(said, `may mean ${names}. Use the full name of the column.`, { means });
}

/** Whether a phrase such as `most often` follows, possibly after `is requested`. */
export const isHowOften = (source: Source, at: number): boolean =>
  /^(?:\S+ ){0,2}(?:most|least) (?:often|frequently|times)\b/.test(source.normOf(at, at + 4));

/** Whether the token is one of the words, which are separated by `|`. */
export const isOneOf = (source: Source, at: number, words: string): boolean =>
  words.split('|').some((word) => source.isWord(at, word));
