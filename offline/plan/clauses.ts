import { anyMark } from './atoms.ts';
import { splitBlocks } from './blocks.ts';
import { letter } from './letters.ts';
import type { Span } from './spans.ts';
import {
  isConnector,
  isPresentation,
  startingVerb,
  startsAction,
  trailingCourtesy,
  type VerbKind,
  withoutConnector,
  withoutCourtesy,
} from './words.ts';

/** A part of a task that asks for one thing, or that describes its neighbours. */
export interface Clause {
  readonly start: number;
  readonly end: number;
  /** Masked text. */
  readonly masked: string;
  readonly kind: VerbKind | 'context' | 'constraint' | 'unknown';
  readonly verb: string;
  /** Clauses of one sentence share it. */
  readonly sentence: number;
  /** Item of a list, counted from 1; 0 in running text. */
  readonly item: number;
}

/** Splits a masked task into clauses, in order, without list markers, joints and courtesy. */
export function splitClauses(masked: string): readonly Clause[] {
  const blocks = splitBlocks(masked);
  const items = blocks.map(
    (_, index) => blocks.slice(0, index + 1).filter(({ isItem }) => isItem).length,
  );
  const sentences = blocks.flatMap((block, index) =>
    splitSentences(masked, block).map((span) => ({
      span,
      item: block.isItem ? (items[index] ?? 0) : 0,
    })),
  );
  return sentences.flatMap(({ span, item }, sentence) =>
    splitActions(masked, span).flatMap((part) => {
      const clause = classify(masked, part);
      return clause === undefined ? [] : [{ ...clause, sentence, item }];
    }),
  );
}

const abbreviated = /\b(?:e\.g|i\.e|etc|vs|approx|no|incl|resp|min|max|cf)$/i;

/** Sentences with their final punctuation. */
function splitSentences(masked: string, block: Span): readonly Span[] {
  const text = masked.slice(block.start, block.end);
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(/[.!?]+["')\]]*(?=\s|$)/g)) {
    if (abbreviated.test(text.slice(from, match.index)) && match[0] === '.') continue;
    const end = match.index + match[0].length;
    spans.push({ start: block.start + from, end: block.start + end });
    from = end;
  }
  spans.push({ start: block.start + from, end: block.end });
  return spans.map((span) => trimSpan(masked, span)).filter(({ start, end }) => end > start);
}

function trimSpan(masked: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(masked[from] ?? '')) from += 1;
  while (to > from && /\s/.test(masked[to - 1] ?? '')) to -= 1;
  return { start: from, end: to };
}

/** Splits a sentence at each joint before an action. */
function splitActions(masked: string, sentence: Span): readonly Span[] {
  const text = masked.slice(sentence.start, sentence.end);
  const joint =
    /\s*[,;:]?\s+(?:and\s+|but\s+)?(?:then|after that|afterwards|finally|lastly)\b,?\s+|\s*[,;]\s*(?:and|but)?\s+|\s+and\s+|\s*;\s*/gi;
  const spans: Span[] = [];
  let from = leadLength(text);
  if (from > 0) spans.push({ start: sentence.start, end: sentence.start + from });
  for (const match of text.matchAll(joint)) {
    const rest = text.slice(match.index + match[0].length);
    if (match.index <= from || !startsAction(rest, jointKind(match[0]))) continue;
    if (isConnector(text.slice(from, match.index))) continue;
    spans.push({ start: sentence.start + from, end: sentence.start + match.index });
    from = match.index + match[0].length;
  }
  spans.push({ start: sentence.start + from, end: sentence.end });
  return spans;
}

const leadIn = new RegExp(
  `^(?:in|from|using|with|for|on|within)\\s+(?:the\\s+)?(?:${letter}+\\s+){0,3}\uE005+,?\\s+(?=${letter})`,
  'i',
);

/** `In a.log find …`: the length of the text before the verb, else 0. */
function leadLength(text: string): number {
  const lead = leadIn.exec(text)?.[0] ?? '';
  return lead !== '' && startsAction(text.slice(lead.length), 'then') ? lead.trimEnd().length : 0;
}

function jointKind(joint: string): 'and' | 'comma' | 'then' {
  if (/then|after|finally|lastly/i.test(joint)) return 'then';
  return /[,;]/.test(joint) ? 'comma' : 'and';
}

const negation = /^(?:do not|don't|don’t|never|must not|mustn't|no |without|avoid)\b/i;
const declares = new RegExp(
  `^(?:(?:the|each|every|all|its|their|this|that|these|those|it|they|there|here|only|values?|ties|${anyMark}+)\\b|${anyMark})`,
  'i',
);
const opens =
  /^(?:using|with|from|in|on|given|for|based|considering|if|when|where|while|once|unless|except|otherwise|else|by|to|as|per|within|inside|under|sorted|ordered|rounded|grouped|limited|ascending|descending|highest|lowest|most|least|largest|smallest|newest|oldest|no|note|hint|remember|only|also|plus|including|excluding|because|since|after|before|instead|one|two|three)\b/i;

const content = new RegExp(`${letter}|[\\d\uE000-\uE006]`);

function classify(masked: string, span: Span): Omit<Clause, 'sentence' | 'item'> | undefined {
  const text = masked.slice(span.start, span.end);
  let stripped = text.replace(/^[\s,;:]+/, '');
  for (let before = ''; before !== stripped; ) {
    before = stripped;
    stripped = withoutCourtesy(stripped);
    const unjoined = withoutConnector(stripped);
    if (unjoined !== stripped && (startsAction(unjoined, 'then') || negation.test(unjoined)))
      stripped = unjoined;
  }
  const start = span.start + text.length - stripped.length;
  const tail = trailingCourtesy.exec(stripped);
  const body = tail === null ? stripped : stripped.slice(0, tail.index);
  if (!content.test(body) || isPresentation(body)) return undefined;
  const match = startingVerb(body);
  const base = {
    start,
    end: start + body.trimEnd().length,
    masked: body.trimEnd(),
    verb: match?.verb ?? '',
  };
  return { ...base, kind: kindOf(body, match?.kind) };
}

/** `Open a.csv`, `Analyse a.log`: names the file of the next steps. */
const sourceOnly = new RegExp(
  `^(?:open|load|use|take|consider|analyse|analyze|examine|study|look at|go through)\\s+(?:the\\s+)?(?:${letter}+\\s+){0,2}\uE005+[.:]?$`,
  'i',
);

function kindOf(body: string, verb: VerbKind | undefined): Clause['kind'] {
  if (negation.test(body)) return 'constraint';
  if (verb === 'question')
    return /\?\s*$/.test(body) || /^(?:how|what|which|who)\b/i.test(body) ? 'question' : 'context';
  if (sourceOnly.test(body)) return 'context';
  if (verb !== undefined) return verb;
  if (/\?\s*$/.test(body)) return 'question';
  return bareKind(body) ?? (saysSomething(body) ? 'context' : 'unknown');
}

/** Code without a verb is run, an address is fetched. */
function bareKind(body: string): VerbKind | undefined {
  if (/\uE000/.test(body) || /^\uE001+[.]?$/.test(body.trim())) return 'run';
  return /^\uE002+[.]?$/.test(body.trim()) ? 'fetch' : undefined;
}

const saysSomething = (body: string) =>
  declares.test(body) ||
  opens.test(body.replace(/^(?:(?:and|but|now)\s+)+/i, '')) ||
  / (?:is|are|has|have|contains?|holds?|lists?|means?|stands? for|stores?) /i.test(body);
