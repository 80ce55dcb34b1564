import { expressionOf } from '../sql/query.ts';
import { rowCount } from './read-count.ts';
import { eatColumn, isDeed } from './read-names.ts';
import { eat, peek, type Reader, skip } from './reader.ts';

/** `hired most recently`: by a column of time. */
export function lastInTime(reader: Reader): true | undefined {
  const { query } = reader;
  eat(reader, ['was', 'were', 'is', 'has been']);
  const column = query.rank ? undefined : eatColumn(reader);
  if (!column?.isTime) return undefined;
  const word = eat(reader, ['most recently', 'last', 'latest', 'first', 'earliest']);
  if (word === undefined) return undefined;
  query.subject ??= 'rows';
  const direction = /^(?:first|earliest)$/.test(word) ? 'asc' : 'desc';
  const count = query.subjectCount ?? (query.subjectIsPlural ? undefined : 1);
  query.rank = { direction, word, by: expressionOf(column), count };
  return true;
}

/** `who borrowed the most books`: the borrower of most rows. */
export function didMost(reader: Reader): true | undefined {
  const { query, table } = reader;
  const verb = peek(reader);
  if (verb?.kind !== 'word' || query.rank || query.measures.length > 0) return undefined;
  const root = verb.norm.replace(/(?:ed|d|e|s)$/, '');
  const column = table.columns.find(
    ({ words: [name = ''], isNumber }) => !isNumber && root.length > 2 && isDoer(name, root),
  );
  if (!column) return undefined;
  reader.at += 1;
  skip(reader, ['the']);
  const word = eat(reader, ['most', 'fewest', 'least']);
  const noun = peek(reader);
  if (word === undefined || noun?.kind !== 'word') return undefined;
  const isRows = table.nouns.has(noun.stem) || columnsOfNoun(reader, noun.stem);
  if (!isRows) return undefined;
  reader.at += 1;
  eat(reader, ['and how many', 'and how often']);
  query.subject = expressionOf(column);
  const by = rowCount(noun.norm);
  query.rank = { direction: word === 'most' ? 'desc' : 'asc', word, by, count: 1 };
  return true;
}

/** `borrower` of `borrow`. */
const isDoer = (name: string, root: string): boolean =>
  name.startsWith(root) && /^[a-z]{0,2}(?:er|or)$/.test(name.slice(root.length));

/** Whether each row has one of these: `book_id`. */
const columnsOfNoun = ({ table }: Reader, stem: string): boolean =>
  table.columns.some(({ words }) => words[0] === stem && words[1] === 'id');

/** `which page is requested most often`: the value of most rows. */
export function oftenest(reader: Reader): true | undefined {
  const { query } = reader;
  if (query.rank || query.subject === undefined || query.subject === 'rows') return undefined;
  eat(reader, ['is', 'are', 'was', 'were', 'gets', 'get', 'got']);
  const verb = peek(reader)?.norm ?? '';
  if (/ed$|^(?:sold|bought|seen|hit|lent|paid)$/.test(verb)) {
    if (!isDeed(reader.table, verb)) return undefined;
    reader.at += 1;
  }
  skip(reader, ['the']);
  const word = eat(reader, ['most', 'least']);
  if (word === undefined || !eat(reader, ['often', 'frequently', 'times'])) return undefined;
  const by = rowCount(reader.table.isLog ? 'requests' : 'rows');
  const count = query.subjectCount ?? (query.subjectIsPlural ? undefined : 1);
  query.rank = { direction: word === 'most' ? 'desc' : 'asc', word, by, count };
  return true;
}
