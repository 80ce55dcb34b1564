import { lexicon } from '../../language/lexicon.ts';
import { levelMeanings, logMeanings } from '../../language/log-words.ts';
import { type Corrected, correctSpelling, wordsOfPattern } from '../../language/spelling.ts';
import type { Loaded } from '../choose/choose-table.ts';
import { patterns } from '../read/grammar.ts';
import { comparators, exceptWords } from '../read/words.ts';
import { askingWords } from '../refuse/assert-asks.ts';
import type { Column } from '../table/schema.ts';
import { isChange } from './suggest.ts';

/** The words that have a meaning in a question about any data. */
const vocabulary = (): readonly string[] =>
  [
    ...patterns.flatMap(wordsOfPattern),
    ...lexicon(),
    ...[...askingWords, ...logMeanings.keys(), ...levelMeanings.keys(), 'successful'],
    ...comparators.keys(),
    ...exceptWords,
  ].flatMap((phrase) => phrase.split(' '));

/** Corrects the misspelled words of a question with the words of the files. Undefined for a task to change something. */
export function spelledFor(task: string, files: readonly Loaded[]): Corrected | undefined {
  if (isChange(task)) return undefined;
  const tables = files.flatMap((file) => file.tables);
  const names = tables.flatMap(({ nouns, columns }) => [
    ...nouns,
    ...columns.flatMap(({ words }) => words),
  ]);
  // Values such as a status, which many rows share.
  const kinds = tables.flatMap(({ columns, rows }) =>
    columns.filter(({ values }) => values.size * 2 <= rows).flatMap(textsOf),
  );
  const texts = tables.flatMap(({ columns }) => columns.flatMap(textsOf));
  const parts = new Set(texts.flatMap((text) => text.split(/[^\p{L}]+/u)));
  return correctSpelling(task, [...vocabulary(), ...names, ...kinds], parts);
}

const textsOf = ({ values, isNumber, isTime }: Column): readonly string[] =>
  isNumber || isTime ? [] : [...values].map((text) => text.toLowerCase());
