import { nameParts } from './name-parts.ts';
import type { Parser } from './parser.ts';
import { phrases } from './phrases.ts';

const generalNouns = phrases('row|record|entry|line|item');
const logNouns = phrases(
  `request|hit|call|response|access|log line|log entry|log record|api call|http request|web request`,
);

/** Whether a phrase in the singular is a word for a row of this table. */
export function isRowNoun(parser: Parser, phrase: string): boolean {
  if (parser.nouns.has(phrase) || generalNouns.includes(phrase)) return true;
  return parser.table.isLog && logNouns.includes(phrase);
}

/** Whether a word, in the plural or not, is one for a row. */
export const isRowWord = (parser: Parser, word: string): boolean =>
  isRowNoun(parser, nameParts(word).join(' '));
