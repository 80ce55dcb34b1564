import { createDraft, type Draft, hasTarget, type Reader } from './draft.ts';
import { ambiguous } from './failures.ts';
import { parseFilters } from './parse-filter.ts';
import { parseOrder } from './parse-order.ts';
import { eat, goBack, isAtEnd, type Parser, peek } from './parser.ts';
import { phrases } from './phrases.ts';
import {
  takeAllRows,
  takeDefinition,
  takeLimit,
  takeMapping,
  takeOutput,
  takeRounded,
  takeUnit,
  takeWriteTo,
  takeWriteVerb,
} from './take-form.ts';
import { takeGroup, takeHaving } from './take-group.ts';
import { takeDeclaration, takeInput } from './take-input.ts';
import { eatVerb, takeTarget } from './take-target.ts';

/** The questions of an instruction, and the words that no rule could place. */
export interface Reading {
  readonly drafts: readonly Draft[];
  readonly leftover: readonly string[];
}

/** Reads a whole instruction: every token is taken by a rule, is in the list of words without meaning, or is left over. */
export function readInstruction(parser: Parser): Reading {
  const first = createDraft(parser.at);
  const reader: Reader = { parser, drafts: [first], current: first, pendingWrite: undefined };
  const leftover: string[] = [];
  while (!isAtEnd(parser)) {
    const start = parser.at;
    if (takeItem(reader) && parser.at > start) continue;
    const token = peek(parser);
    if (token && /[\p{L}\p{N}]/u.test(token.text)) leftover.push(token.text);
    else if (token && !/^[-–—"'&]$/.test(token.text)) leftover.push(token.text);
    parser.at = start + 1;
  }
  if (reader.pendingWrite !== undefined) leftover.unshift(reader.pendingWrite);
  return { drafts: reader.drafts, leftover };
}

/** Tried in this order; the first that takes something wins. */
const items: readonly ((reader: Reader) => boolean)[] = [
  takeSeparator,
  takeDeclaration,
  takeAllRows,
  takeInput,
  takeMapping,
  takeWriteTo,
  takeOutput,
  takeDefinition,
  takeRounded,
  takeUnit,
  takeLimit,
  takeOrder,
  takeGroup,
  takeHaving,
  takeWriteVerb,
  eatVerb,
  takeFilter,
  takeTarget,
  takeStopWord,
];

function takeItem(reader: Reader): boolean {
  const { parser } = reader;
  for (const item of items) {
    const start = parser.at;
    const meanings = parser.meanings.size;
    if (item(reader)) {
      for (const meaning of [...parser.meanings].slice(meanings))
        reader.current.meanings.add(meaning);
      return true;
    }
    goBack(parser, start, meanings);
  }
  return false;
}

function takeSeparator({ parser, current }: Reader): boolean {
  const mark = eat(parser, '.', ';', '!', '?', ',', ':', '(', ')');
  if (mark === undefined) return false;
  if ('.;!?'.includes(mark)) current.isClosed = true;
  if (mark === ',') current.last = current.last === 'measure' ? 'other' : current.last;
  return true;
}

function takeOrder({ parser, current }: Reader): boolean {
  const orders = parseOrder(parser);
  if (!orders) return false;
  current.orders.push(...orders);
  current.last = 'other';
  return true;
}

function takeFilter({ parser, current, drafts }: Reader): boolean {
  const filters = parseFilters(parser);
  if (!filters) return false;
  if (current.isClosed && drafts.filter(hasTarget).length > 1) {
    throw ambiguous(
      'A condition stands behind several questions; which of them it is about is not clear. Put it into the sentence that it belongs to.',
    );
  }
  const measure = current.last === 'measure' ? current.measures.at(-1) : undefined;
  if (measure) measure.own.push(...filters);
  else current.filters.push(...filters);
  return true;
}

/** Words without a meaning of their own here. Nothing that negates, limits, compares or joins tables may be added. */
const stopWords = phrases(`
  the|a|an|all|please|me|us|and|then|also|finally|there|their|its|is|are|was|were|do|does|did|been
  in total|overall|now|first of all|i|want|need|would like|can you|could you|together with|as well as|along with|to know|to see|with their`);

function takeStopWord({ parser }: Reader): boolean {
  return eat(parser, ...stopWords) !== undefined;
}
