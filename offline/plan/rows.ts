import { rowsOf } from '../language/lexicon.ts';
import { furtherQuestion } from './actions.ts';
import type { Clause } from './clauses.ts';
import { filesIn, gistOf, type Piece, wordsOf } from './pieces.ts';
import { askedOf, type Step } from './step.ts';

const count = 'one|two|three|four|five|six|seven|eight|nine|ten|twenty';

/** Clauses that continue a question, by how the question starts. */
const continuations = rowsOf(String.raw`
^(?:filter|select|extract|join|merge)\b => .
# sort … and show the top 4: the rows in that order
^(?:sort|order|rank)\b => ^(?:show|list|print|display|give|find|select) (?:me )?(?:only )?(?:the )?(?:top|first|last)\b(?: (?:\d+|${count}))?(?: (?:of them|rows|lines|entries|ones))?(?: [.!])*$
# group by country needs a figure: and sum the amount
^group\b[^,]* by\b => ^(?:sum|total|average|aggregate|count|(?:compute|calculate|find|show|report|give|determine|get|tell) (?:me )?(?:the )?(?:sum|total|average|mean|median|count|number|minimum|maximum))\b(?!.*\b(?:by|per)\b)
# group them by endpoint, sort by total, count only …
. => ^[a-z_][^ ]* (?:(?:it|them|those|these|the results?|the rows|the matches)(?=(?: [.!?])*$| (?:by|in|from|per|with|down|into|as)\b)|(?:by|only|per)\b)
`).map(([asked = '', clause = '']) => [new RegExp(asked), new RegExp(clause)] as const);

const question =
  /^(?:which|who|whose|what|is|are|was|were|do|does|did|has|have|i am looking|i'm looking|look)\b/;

const name = `(?!(?:top|first|last|total|number|count|average|most|least|how|all|me|files?|folders?|lines?|rows?|[a-z]+est)\\b)[a-z_][^ ]*(?<! (?:per|by|with|for|from|in))`;
const names = `(?:the |their |its )?${name}(?: ${name}){0,2}`;
const list = `${names}(?:(?: ,| and| , and) ${names})*`;

/** Clauses that name columns of the rows before: `. I need date and bed`, `. Give me name and email of all of them`. */
const furtherColumns = new RegExp(
  `^(?:(?:(?:please )?(?:(?:give|show|send|tell) me|i (?:also |only |just )?need|list|i want|only|just|what (?:is|are) (?=their|its|his|her))) (?:also |both |just |only )?${list}|${list} only)(?: (?:from|in) φ)?(?: [.!?])*$`,
);

/** Whether a clause continues the question of a step: `… and group them by endpoint`, `filter …, sum …`. */
export function continues({ kind, pieces, gist }: Clause, step: Step): boolean {
  if (step.role !== 'ask') return false;
  const isFurther = furtherColumns.test(gist) || furtherQuestion.test(gist);
  if (isFurther && question.test(step.main.gist)) return true;
  if (kind !== 'ask' || filesIn(pieces).length > 0) return false;
  const asked = gistOf(askedOf(step));
  return (
    continuations.some(([start, next]) => start.test(asked) && next.test(gist)) ||
    namesAgain(gist, asked)
  );
}

const restricted =
  /\b(?:with|where|whose|that|which|having|matching|containing|between|after|before|over|above|below|under|than|only|without)\b/;

/** Whether a clause repeats the noun of filtered rows: `find the requests with status 500 and group the requests …`. */
function namesAgain(gist: string, asked: string): boolean {
  const [, name] = /^[a-z_][^ ]* the ([a-z_][^ ]*)/.exec(gist) ?? [];
  const isNamed = name !== undefined && ` ${asked} `.includes(` ${name} `);
  return isNamed && restricted.test(asked) && !ranked.test(asked);
}

/** The part of its file that a step selects: everything, first rows, or the rows of a condition. */
export type Narrowing = 'none' | 'ranked' | 'filtered';

const place =
  /(?:\b(?:in|of|from|inside|within|across|on|for|using) )?(?:\b(?:all|the|folder|file|log|table|csv|database) )*[φγυ]/g;
const condition =
  /[θκ]|^(?:search|grep|look|filter|select|extract)\b|\b(?:with(?! (?:their|its|a header|the header))|where|whose|that|which|who|having|match(?:es|ing)?|contain(?:s|ing)?|between|after|before|since|until|over|above|below|under|than|only|without|not|except|excluding|for|from|in|starting|ending|equal)\b/;
const ranked = new RegExp(
  `^(?:sort|order|rank)\\b|\\b(?:sorted|ordered|ranked|top|bottom|first|last|most|least|[a-z]{3,}est)\\b|^[^ ]+ (?:the )?(?:\\d+|${count})\\b`,
);
const numbered = new RegExp(`\\b(?:\\d+|${count}|errors?|failures?|failed|warnings?)\\b`);
const attribute =
  /^(?:which|who) (?!(?:columns?|fields?|tables?|files?)\b)[^ ]+ (?:are|is|was|were|has|have|had)\b/;
const listing = /^(?:find|list|show|get|give|display|print|identify|read|view|report)\b/;
const plainWord =
  /^(?:the|a|an|all|of|and|me|its|their|contents?|rows?|lines?|records?|names?|columns?|each|per|by)$/;

/** Determines which part of its file a step selects. */
export function narrowingOf(asked: readonly Piece[]): Narrowing {
  const gist = gistOf(asked).replace(place, '').trim();
  if (condition.test(gist) || attribute.test(gist) || asked.some(isName)) return 'filtered';
  if (ranked.test(gist) || numbered.test(gist)) return 'ranked';
  const named = wordsOf(gist)
    .slice(1)
    .filter((word) => !plainWord.test(word));
  return listing.test(gist) && named.length > 1 ? 'ranked' : 'none';
}

/** Whether a piece is a value after `of`: `of DE`, `of 2024`. */
const isName = ({ text, gist }: Piece, at: number, pieces: readonly Piece[]): boolean =>
  pieces[at - 1]?.gist === 'of' && /^[a-z_\d]/.test(gist) && !/^\p{Ll}/u.test(text);

const counting =
  /^(?:count|sum|total|average|compute|calculate|measure|tabulate|group|aggregate|how|what|is|are|does|do)\b/;

/** Whether a step asks for figures instead of rows, lines or files. */
export const isCounting = (asked: readonly Piece[]): boolean => counting.test(gistOf(asked));

/** Whether a step without a file is explicitly about more than the part that the previous step selected. */
export function hasOwnScope(asked: readonly Piece[], narrowing: Narrowing): boolean {
  const gist = gistOf(asked);
  return (
    /\b(?:whole|entire|overall|altogether)\b/.test(gist) ||
    (narrowing === 'ranked' && /\b(?:by|per|each|every)\b/.test(gist))
  );
}
