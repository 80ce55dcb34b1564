import type { Token } from '../../language/lexer.ts';
import { fillers, meansRow } from '../../language/lexicon.ts';
import type { Failure } from '../propose/suggest.ts';
import { isDeed } from '../read/columns/verbs-of-rows.ts';
import { endsWith } from '../read/times/spans.ts';
import { moneyVerbs, spendVerbs } from '../read/words.ts';
import { containers } from '../refuse/used-words.ts';
import { isMeasure, subjectOf, type Value } from '../sql/query.ts';
import { filesIn } from '../table/place.ts';
import type { Column, Table } from '../table/schema.ts';
import type { Understood } from '../understand.ts';
import { inputFiles, unnamed } from './input-of.ts';

/** Refuses an answer that leaves out a word for another file: `on which day did we harvest the most`, answered from a log. */
export function assertKnown(
  tokens: readonly Token[],
  found: readonly Understood[],
  tried: readonly { readonly path: string; readonly failures: readonly Failure[] }[],
): void {
  const [first] = found;
  if (!first || inputFiles(tokens).length > 0) return;
  const files = found.flatMap(({ table, composed }) => filesIn(table, composed.sql));
  const others = tried.flatMap(({ path, failures }) => (files.includes(path) ? [] : failures));
  // `the result of Rex`, with a column `result` in another file
  const isNoun = ({ kind, stem }: Token, { table: { nouns, columns } }: Failure) =>
    kind === 'word' &&
    (nouns.has(stem) ||
      (containers.test(stem) && columns.some(({ words }) => words.join(' ') === stem))) &&
    !ofMoney.test(stem) &&
    found.every(({ table }) => !knows(table, stem));
  const better = others.find((one) => tokens.some((token) => isNoun(token, one)));
  if (better) throw better.error;
  if (tried.length > 1) assertNamed(tokens, found);
}

/** @throws TaskError `NOT_UNDERSTOOD` if no word says which rows are meant: `who came most often` */
export function assertNamed(tokens: readonly Token[], found: readonly Understood[]): void {
  const files = found.flatMap(({ table, composed }) => filesIn(table, composed.sql));
  if (inputFiles(tokens).length > 0 || found.length === 0) return;
  if (found.every((one) => isGeneral(tokens, one))) throw unnamed(files);
}

/** The answers that do not calculate with the keys of another file: `average pitch` of bookings. */
export function withoutKeys(found: readonly Understood[], failures: readonly Failure[]) {
  const keys = failures.flatMap(({ table }) => table.columns.filter(({ isKey }) => isKey));
  const isKey = (of: Value | undefined) => keys.some(({ name }) => name === of?.column?.name);
  return found.filter(
    ({ query }) =>
      !query.measures.some(({ fn, of }) => /^(?:sum|avg|median)$/.test(fn) && isKey(of)),
  );
}

/** Whether a reading calculates only with columns of its own table. */
const isOfOwn = (all: readonly Understood[]): boolean =>
  all.every(({ query: { measures } }) => measures.every(({ of }) => of && !of.column?.link));

/** Drops readings that join further tables to those of another one: `who owns Luna` is not about her visits. Titles are counted among the books, not their reservations. */
export function withoutLarger(all: readonly (readonly Understood[])[]) {
  const tablesOf = ([one]: readonly Understood[]) =>
    [...(one?.composed.sql ?? '').matchAll(/\b(?:FROM|JOIN) (\S+)/g)].map(([, name]) => name);
  const isWithin = (small: readonly Understood[], large: readonly Understood[]) => {
    const [few, many] = [tablesOf(small), tablesOf(large)];
    const isLookUp = large.every(({ query: { measures, rank } }) => !rank && measures.length === 0);
    const isNear = isLookUp || (isOfOwn(small) && !isOfOwn(large));
    return isNear && few.length < many.length && few.every((name) => many.includes(name));
  };
  return all.filter((large) => !all.some((small) => isWithin(small, large)));
}

/** Whether no word names the table, and the answer only counts rows or measures a time: `who came most often`. */
function isGeneral(
  tokens: readonly Token[],
  { table, query: { measures, rank, where } }: Understood,
) {
  const figures = [...measures, rank?.by].filter((one) => isMeasure(one));
  return (
    figures.length > 0 &&
    where.length === 0 &&
    figures.every(
      ({ of, where: own }) => own.length === 0 && !table.columns.some((one) => one === of?.column),
    ) &&
    wordsPlaced(tokens, table) === 0 &&
    !tokens.some(({ norm }) => isDeed(table, norm) || endsWith(norm, table))
  );
}

const ofMoney = new RegExp(`^(?:${spendVerbs}|${moneyVerbs})$`);

/** Whether a word is a noun, a column or a value of a table. */
const knows = ({ nouns, columns }: Table, stem: string): boolean =>
  meansRow(stem, nouns) ||
  columns.some(
    ({ words, values }) =>
      words.includes(stem) || [...values].some((value) => value.toLowerCase().includes(stem)),
  );

/** The number of words that name a column, a row or a value of this table. */
export const wordsPlaced = (tokens: readonly Token[], { columns, nouns }: Table): number =>
  tokens.filter(
    ({ kind, text, stem, norm }) =>
      kind !== 'number' &&
      !fillers.has(norm) &&
      (nouns.has(stem) ||
        columns.some(
          ({ words, values }) =>
            words.includes(stem) || values.has(text) || values.has(text.toUpperCase()),
        )),
  ).length;

/** Whether a reading shows rows of a file, and only selects them by values of other files. */
export const isOfFile = ({ table, query }: Understood, path: string | undefined): boolean =>
  table.path === path &&
  query.where.every(({ column, value, sql }) =>
    column?.link
      ? value !== undefined
      : table.columns.every((one) => !one.link || !sql.includes(one.sql)),
  );

/** Whether a list of its values may have more: `beds with no beans` of a harvest, `how many beds are there`, with a list of beds. */
export function mayLack({ query, composed, table }: Understood, tables: readonly Table[]): boolean {
  const [counted] = query.measures.flatMap(({ fn, of }) => (fn === 'distinct' && of ? of : []));
  const isOfAll = composed.sql.includes(' NOT IN (SELECT');
  const subject = isOfAll ? subjectOf(query) : query.where.length === 0 ? counted : undefined;
  if (!subject) return false;
  const words = [subject.words, ...(subject.column?.words ?? [])];
  const others = tables.filter(({ path }) => path !== table.path);
  return others.some(
    ({ columns, nouns }) =>
      words.some((word) => nouns.has(word)) || columns.some((own) => hasMore(own, subject.column)),
  );
}

const hasMore = ({ values }: Column, own: Column | undefined): boolean =>
  own !== undefined &&
  values.size > own.values.size &&
  [...own.values].every((one) => values.has(one));

/** Whether an answer shows the key of another file, whose row may have a name: `owner_id`. */
export const showsKey = ({ query, table }: Understood): boolean =>
  [...query.groups, subjectOf(query)].some(
    (one) =>
      one?.column !== table.columns[0] &&
      /^(?:id|no|nr|number|code)$/.test(one?.column?.words.at(-1) ?? ''),
  );
