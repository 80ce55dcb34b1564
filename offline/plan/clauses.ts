import { startingVerb, startsAction, withoutConnector, withoutCourtesy } from './actions.ts';
import { type Part, partsOf } from './parts.ts';
import { gistOf, literal, type Piece, sizeOf } from './pieces.ts';
import { inOrder, negation, presentation, trailingCourtesy, type VerbKind } from './vocabulary.ts';

/** A part of a task, without courtesy and connectors. */
export interface Clause {
  /** What its verb asks for. A `context` describes its neighbours; a `ban` applies to every step with an effect. */
  readonly kind: VerbKind | 'context' | 'ban';
  /** The verb that it starts with, or ''. */
  readonly verb: string;
  readonly pieces: readonly Piece[];
  readonly gist: string;
  /** Clauses of one sentence share it. */
  readonly sentence: number;
  /** Whether it comes after the clause before, as in `then …` and in a numbered list. */
  readonly isNext: boolean;
}

/** Splits a task into clauses, in order. */
export function clausesOf(pieces: readonly Piece[]): readonly Clause[] {
  const clauses: Clause[] = [];
  let isNext = false;
  for (const part of partsOf(pieces)) {
    isNext ||= part.isNext;
    const clause = clauseOf(part);
    if (clause === undefined) continue;
    clauses.push({ ...clause, isNext: isNext || clause.isNext });
    isNext = false;
  }
  return clauses;
}

function clauseOf({ pieces: said, sentence }: Part): Clause | undefined {
  let gist = gistOf(said).replace(/^(?:[,;:] )+/, '');
  for (let before = ''; before !== gist; ) {
    before = gist;
    gist = withoutCourtesy(gist);
    const rest = withoutConnector(gist);
    if (startsAction(rest, 'then') || negation.test(rest)) gist = rest;
  }
  const lead = said.length - sizeOf(gist);
  const pieces = said.slice(lead);
  const isNext = inOrder.test(gistOf(said, 0, lead));
  gist = gist.replace(trailingCourtesy, '');
  if (!/[a-z_\dπκυθσφγ]/.test(gist) || presentation.test(gist)) return undefined;
  const { verb = '', kind } = startingVerb(gist) ?? {};
  return {
    kind: kindOf(gist, kind),
    verb,
    pieces: pieces.slice(0, sizeOf(gist)),
    gist,
    sentence,
    isNext,
  };
}

/** A clause that only names the file of the next steps: `Open a.csv`, `Analyse a.log`. */
const sourceOnly =
  /^(?:open|load|use|take|consider|analyse|analyze|examine|study|look at|go through) (?:the )?(?:[a-z_][^ ]* ){0,2}φ(?: [.:])?$/;

const opens = new RegExp(
  `^(?:(?:and|but|now) )*(?:${literal}|(?:the|each|every|all|its|their|this|that|these|those|it|they|there|here|only|values?|ties|using|with|from|in|on|given|for|based|considering|if|when|where|while|once|unless|except|otherwise|else|by|to|as|per|within|inside|under|sorted|ordered|rounded|grouped|limited|ascending|descending|highest|lowest|most|least|largest|smallest|newest|oldest|no|note|hint|remember|also|plus|including|excluding|because|since|after|before|instead|one|two|three)\\b)`,
);
const effect =
  /\b(?:chang|modify|modif|edit|delet|remov|overwrit|touch|alter|writ|creat|sav|install|run|execut|renam|mov|send|network|internet)/;

const asks = /\?$|^(?:how|what|which|who)\b/;

function kindOf(gist: string, verb: VerbKind | undefined): Clause['kind'] {
  if (negation.test(gist)) return effect.test(gist) ? 'ban' : 'qualify';
  const isOpen = verb === undefined || verb === 'question';
  if (isOpen && asks.test(gist)) return 'question';
  if (verb === 'question' || sourceOnly.test(gist)) return 'context';
  return verb ?? withoutVerb.find(([pattern]) => pattern.test(gist))?.[1] ?? 'other';
}

/** Kinds of clauses without a verb: code is run, an address is fetched, a statement is context. */
const withoutVerb: readonly (readonly [RegExp, Clause['kind']])[] = [
  [/π|^κ(?: \.)?$/, 'run'],
  [/^υ(?: \.)?$/, 'fetch'],
  [/^[a-z_]+ (?:times|multiplied by) [a-z_ ]+(?: \.)?$/, 'context'],
  [opens, 'context'],
  // It narrows what was asked before: `Just the names.`
  [/^just (?:the|its|their|his|her|these|those|names?)\b| only(?: [.!])?$/, 'context'],
  // Why it is asked for: `We close earlier now.`
  [/^(?:we|our|my) (?!need |want |would |must |should )[a-z' ]+(?: [.:])?$/, 'context'],
  [/ (?:is|are|has|have|contains?|holds?|lists?|means?|stands? for|stores?) /, 'context'],
];
