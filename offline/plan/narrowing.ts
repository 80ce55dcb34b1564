import { marks } from './atoms.ts';
import { letter } from './letters.ts';

/** The part of its file that a step selects: everything, the first rows of an order or of a kind, or the rows of a condition. */
export type Narrowing = 'none' | 'ranked' | 'filtered';

const inputs = new RegExp(
  `(?:\\b(?:in|of|from|inside|within|across|on|for|using)\\s+)?(?:\\b(?:all|the|folder|file|log|table|csv|database)\\s+)*[${marks.file}${marks.glob}${marks.url}]+`,
  'gi',
);
const value = new RegExp(`[${marks.quote}${marks.code}]`);
const condition =
  /^(?:search|grep|look|filter|select|extract)\b|\b(?:with(?! (?:their|its|a header|the header))|where|whose|that|which|who|having|match(?:es|ing)?|contain(?:s|ing)?|between|after|before|since|until|over|above|below|under|than|only|without|not|except|excluding|for|from|in|starting|ending|equal)\b/i;
const rank =
  /^(?:sort|order|rank)\b|\b(?:sorted|ordered|ranked|top|bottom|first|last|most|least|[a-z]{3,}est|\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty|errors?|failures?|failed|warnings?)\b/i;
const attribute =
  /^(?:which|who)\s+(?!(?:columns?|fields?|tables?|files?)\b)\S+\s+(?:are|is|was|were|has|have|had)\b/i;
/** `of DE`, `of 2024` */
const ofName = /\bof\s+[\p{Lu}\d]/u;
const listing = /^(?:find|list|show|get|give|display|print|identify|read|view|report)\b/i;
const plainWord =
  /^(?:the|a|an|all|of|and|me|its|their|contents?|rows?|lines?|records?|names?|columns?|each|per|by)$/i;

/** Reads the masked text of a question. */
export function narrowingOf(masked: string): Narrowing {
  const text = masked.replace(inputs, ' ').trim();
  if (value.test(text) || condition.test(text) || attribute.test(text) || ofName.test(text))
    return 'filtered';
  if (rank.test(text)) return 'ranked';
  const words = text.match(new RegExp(`${letter}+`, 'g')) ?? [];
  const named = words.slice(1).filter((word) => !plainWord.test(word));
  return listing.test(text) && named.length > 1 ? 'ranked' : 'none';
}

const counting =
  /^(?:count|sum|total|average|compute|calculate|measure|tabulate|group|aggregate|how|what|is|are|does|do)\b/i;

/** Whether a step asks for figures instead of rows, lines or files. */
export const isCounting = (masked: string): boolean => counting.test(masked.trim());

const ownScope = /\b(?:whole|entire|overall|altogether)\b/i;
const grouping = /\b(?:by|per|for each|for every|each|every)\b/i;

/** Whether a step without a file is explicitly about more than the part that the previous step selected. */
export const hasOwnScope = (masked: string, narrowing: Narrowing): boolean =>
  ownScope.test(masked) || (narrowing === 'ranked' && grouping.test(masked));
