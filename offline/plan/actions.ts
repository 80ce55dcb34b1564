import { gistOf, literal, type Piece } from './pieces.ts';
import { alsoNouns, connector, courtesy, kindOfVerb, type VerbKind } from './vocabulary.ts';

/** The known verb at the beginning of a gist, of one or two words. */
export function startingVerb(
  gist: string,
): { readonly verb: string; readonly kind: VerbKind } | undefined {
  const [one = '', two = ''] = gist.split(' ', 2);
  const pair = kindOfVerb.get(`${one} ${two}`);
  if (pair !== undefined) return { verb: `${one} ${two}`, kind: pair };
  const kind = kindOfVerb.get(one);
  return kind && { verb: one, kind };
}

const objectStart = new RegExp(
  `^(?:${literal}|\\d|["'(]|(?:the|a|an|all|any|each|every|both|its|their|my|this|that|these|those|them|it|how|which|what|who|where|when|whether|only|top|first|last|me|by|for|up|down|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|as|to|into|everything|duplicates?|most|least|highest|lowest|ties)\\b|(?:[a-z_][^ ]* ){1,3}(?:in|of|from|per|by|with|where|that|whose|matching|containing|to|as|into)\\b)`,
);

const link = /^(?:in|of|from|per|by|with|for|to|and|or|as|on|at)\b/;

/** A participle after a noun is not an action: `total rounded to 2 decimals`. */
const formOfNoun =
  /^(?:column )?(?:rounded|sorted|ordered|limited|formatted|shown|given|expressed|written|descending|ascending|desc|asc|is|are|being|highest|lowest|largest|smallest|most|least)\b/;

/** After a verb that is also a noun: it continues the phrase, as in `name and email of all of them`, `and email addresses`. */
const otherNoun =
  /^(?:(?:and|of|from|address(?:es)?|titles?|dates?|times?|numbers?)\b|only(?: (?:into|as|to)\b|(?: [.!?])*$))/;

/** Whether a verb is used as a noun, because it has no object: `order in a.csv`, `count of …`. */
function startsWithNoun(gist: string): boolean {
  const verb = startingVerb(gist)?.verb ?? '';
  const behind = gist.slice(verb.length + 1);
  return alsoNouns.has(verb) && (!objectStart.test(behind) || link.test(behind));
}

/** Removes the words that join a gist to the previous one. `first` stays if it selects: `first order in a.csv`. */
export function withoutConnector(gist: string): string {
  const tie = connector.exec(gist)?.[0] ?? '';
  const rest = gist.slice(tie.length);
  return /(?:first|second|third|last) $/.test(tie) && startsWithNoun(rest) ? gist : rest;
}

/** Removes courtesy from the beginning of a gist. */
export const withoutCourtesy = (gist: string): string => gist.replace(courtesy, '');

/** Whether a gist has only words that join clauses. */
export const isConnector = (gist: string): boolean => gist.replace(connector, '') === '';

/** A separate question: `and how many …`, `and which customer …`. */
const wholeQuestion =
  /^(?:how (?:many|much)|how (?:often|long) (?:is|are|was|were|do|does|did)|what(?:'s| is| are| was| were) the|which (?!(?:are|is|was|were|has|have|had|ones?)\b)[a-z_]+ [a-z_]+|who (?!(?:are|is|was|were|has|have|had)\b)[a-z_]+)\b/;

const further =
  '(?:who|whose|when|where|how (?:much(?: money)?|many(?: (?:from|in|of|for) each| (?!are|is|do|does|did|were|was)[a-z]+)?|often|long|many times)|(?:which|what)(?: (?!is|are|was|were|did|does|do|has|have|had)[a-z_]+)?)(?: (?:is|was|are|were|did|does|do|has|had|made|got|took|won|wrote|sold|bought|paid|caught|[a-z]+ed))?(?: (?:it|they|that|them|those|he|she|its message|the [a-z]+))?(?: (?:take|say|cost|happen|occur|called|made|get|belong|last|be|to|is|was))*';

/** A question that continues the previous one: `and who made it?`, `and how much?`, `which crop and how many kg`. */
export const furtherQuestion = new RegExp(
  `^(?:also )?${further}(?:(?: ,)?(?: and)? ${further})*(?: (?:in|from|of) φ)?(?: [?.!])*$`,
);

/** Whether a gist starts a new action after a connector. `and` alone is a weak connector, `then` a strong one. */
export function startsAction(rest: string, joint: string): boolean {
  const gist = withoutCourtesy(withoutConnector(rest));
  const { verb = '', kind } = startingVerb(gist) ?? {};
  const isWeak = joint === 'and ';
  if (kind === 'question') return (isWeak ? wholeQuestion : /^(?:how|what|which|who) /).test(gist);
  if (kind === undefined || /then|after|finally|lastly/.test(joint)) return kind !== undefined;
  const behind = gist.slice(verb.length + 1);
  if (!alsoNouns.has(verb)) return !isWeak || objectStart.test(behind);
  const isNoun = kind === 'other' && otherNoun.test(behind);
  return objectStart.test(behind) && !formOfNoun.test(behind) && !isNoun;
}

/** The next pieces, enough for rules that look ahead. */
export const ahead = (pieces: readonly Piece[], at: number): string => gistOf(pieces, at, at + 30);
