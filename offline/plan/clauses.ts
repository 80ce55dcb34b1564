import {
  ahead,
  isConnector,
  type Joint,
  startingVerb,
  startsAction,
  withoutConnector,
  withoutCourtesy,
} from './actions.ts';
import { gistOf, literal, type Piece, sizeOf, wordsOf } from './pieces.ts';
import { sentencesOf } from './sentences.ts';
import {
  negation,
  presentation,
  resultWords,
  trailingCourtesy,
  type VerbKind,
} from './vocabulary.ts';

/** A part of a task that asks for one thing, or that describes its neighbours. */
export interface Clause {
  readonly kind: VerbKind | 'context' | 'constraint' | 'unknown';
  /** The verb that it starts with, or ''. */
  readonly verb: string;
  readonly pieces: readonly Piece[];
  readonly gist: string;
  /** Clauses of one sentence share it. */
  readonly sentence: number;
}

/** The clauses of a task in their order, without list markers, joints and courtesy. */
export const clausesOf = (pieces: readonly Piece[]): readonly Clause[] =>
  sentencesOf(pieces).flatMap((said, sentence) =>
    actionsOf(said).flatMap((part) => clauseOf(part, sentence) ?? []),
  );

const jointWords =
  /^(?:[,;:] )?(?:(?:and|but) )?(?:then|after that|afterwards|finally|lastly) (?:, )?|^[,;] (?:(?:and|but) )?|^and /;

/** Splits a sentence at each joint before an action. */
function actionsOf(sentence: readonly Piece[]): readonly (readonly Piece[])[] {
  const lead = leadSize(sentence);
  const parts = [sentence.slice(0, lead)];
  let from = lead;
  let verb: readonly Piece[] = [];
  for (let at = from + 1; at < sentence.length; at += 1) {
    const joint = jointWords.exec(gistOf(sentence, at, at + 6))?.[0] ?? '';
    const next = at + sizeOf(joint);
    if (joint === '' || (sentence[next]?.gap === '' && joint !== '; ')) continue;
    const said = [...verb, ...sentence.slice(from, at)];
    const rest = ahead(sentence, next);
    const isAction = startsAction(rest, kindOfJoint(joint));
    const isSecond = !isAction && isAnother(rest) && saves.test(gistOf(said));
    if (!isAction && !isSecond) continue;
    if (isConnector(gistOf(said))) continue;
    parts.push(said);
    verb = isSecond ? said.filter(({ gist }) => saving.test(gist)).slice(0, 1) : [];
    from = next;
    at = next;
  }
  return [...parts, [...verb, ...sentence.slice(from)]].filter((part) => part.length > 0);
}

/** `save A as a.md and B as b.csv`: the verb is meant twice. */
const saving = /^(?:save|write|store|export|put)$/;
const saves = /^(?:[a-z]+ ){0,2}(?:save|write|store|export|put) .* (?:as|to|in|into) φ$/;
const isAnother = (rest: string): boolean => {
  const object = /^([^,;:.!?]*?) (?:as|to|in|into) φ/.exec(rest)?.[1];
  return object !== undefined && wordsOf(object).every((word) => resultWords.has(word));
};

const kindOfJoint = (joint: string): Joint => {
  if (/then|after|finally|lastly/.test(joint)) return 'then';
  return /[,;]/.test(joint) ? 'comma' : 'and';
};

const leadIn = /^(?:in|from|using|with|for|on|within) (?:the )?(?:[a-z_][^ ]* ){0,3}φ (?:, )?/;

/** `In a.log find …`: the pieces before the verb. */
function leadSize(sentence: readonly Piece[]): number {
  const lead = leadIn.exec(ahead(sentence, 0))?.[0] ?? '';
  const size = sizeOf(lead);
  return size > 0 && startsAction(ahead(sentence, size), 'then') ? size : 0;
}

function clauseOf(said: readonly Piece[], sentence: number): Clause | undefined {
  let gist = gistOf(said).replace(/^(?:[,;:] )+/, '');
  for (let before = ''; before !== gist; ) {
    before = gist;
    gist = withoutCourtesy(gist);
    const rest = withoutConnector(gist);
    if (startsAction(rest, 'then') || negation.test(rest)) gist = rest;
  }
  const pieces = said.slice(said.length - sizeOf(gist));
  gist = gist.replace(trailingCourtesy, '');
  if (!/[a-z_\dπκυθσφγ]/.test(gist) || presentation.test(gist)) return undefined;
  const { verb = '', kind } = startingVerb(gist) ?? {};
  return { kind: kindOf(gist, kind), verb, pieces: pieces.slice(0, sizeOf(gist)), gist, sentence };
}

/** `Open a.csv`, `Analyse a.log`: names the file of the next steps. */
const sourceOnly =
  /^(?:open|load|use|take|consider|analyse|analyze|examine|study|look at|go through) (?:the )?(?:[a-z_][^ ]* ){0,2}φ(?: [.:])?$/;

const opens = new RegExp(
  `^(?:(?:and|but|now) )*(?:${literal}|(?:the|each|every|all|its|their|this|that|these|those|it|they|there|here|only|values?|ties|using|with|from|in|on|given|for|based|considering|if|when|where|while|once|unless|except|otherwise|else|by|to|as|per|within|inside|under|sorted|ordered|rounded|grouped|limited|ascending|descending|highest|lowest|most|least|largest|smallest|newest|oldest|no|note|hint|remember|also|plus|including|excluding|because|since|after|before|instead|one|two|three)\\b)`,
);
const states = / (?:is|are|has|have|contains?|holds?|lists?|means?|stands? for|stores?) /;

function kindOf(gist: string, verb: VerbKind | undefined): Clause['kind'] {
  if (negation.test(gist)) return 'constraint';
  const asks = /\?$/.test(gist) || /^(?:how|what|which|who)\b/.test(gist);
  if (verb === 'question') return asks ? 'question' : 'context';
  if (sourceOnly.test(gist)) return 'context';
  if (verb !== undefined) return verb;
  if (asks) return 'question';
  // Code without a verb is run, an address is fetched.
  if (/π|^κ(?: \.)?$/.test(gist)) return 'run';
  if (/^υ(?: \.)?$/.test(gist)) return 'fetch';
  return opens.test(gist) || states.test(gist) ? 'context' : 'unknown';
}
