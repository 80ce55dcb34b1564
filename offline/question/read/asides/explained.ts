import type { Token } from '../../../language/lexer.ts';
import { column } from '../columns/names.ts';
import { type Reads, rule, type Source } from '../grammar.ts';
import { nounEnd } from '../rows/rows.ts';
import { condition } from '../values/conditions.ts';
import { isFiller } from '../values/values.ts';

/** Most words that a definition explains. */
const MAX_WORDS = 2;

const denials = /^(?:not|no|never|none|nobody|without)$|n['’]t$/;

/** `shipped`, not a name such as `Berlin`. */
const isPlain = (token: Token | undefined): boolean =>
  token?.kind === 'word' && !/^\p{Lu}/u.test(token.text) && !denials.test(token.norm);

/** Whether a word is what is asked for: `guitars` of `how many guitars`. */
const isThing = (before: Token | undefined): boolean =>
  before !== undefined && /^(?:many|much|which|what|of|the|all)$/.test(before.norm);

/** Whether a definition follows: `(`, `i.e.`. */
export const opensDefinition = ({ norm }: Token): boolean => /^(?:\(|i\.?e\.?)$/.test(norm);

/**
 * The words that no rule read and that a definition behind them explains: `missed` of `who missed a test? (score is empty)`.
 *
 * @param open The indices of all words that no rule read.
 */
export function explained(source: Source, open: readonly number[]): readonly number[] {
  const { tokens } = source;
  const opening = tokens.findIndex(opensDefinition);
  const words = open.filter((at) => at !== opening);
  const isBefore = words.every(
    (at) => at < opening && isPlain(tokens[at]) && !isThing(tokens[at - 1]),
  );
  const isFew = words.length <= MAX_WORDS && (words.at(-1) ?? 0) - (words[0] ?? 0) < MAX_WORDS;
  return isBefore && isFew && isDefinition(source, opening) ? open : [];
}

const saying = /^(?:is|are|was|were|=|no|empty|missing)$/;

const comparing = /^(?:than|above|below|over|under|after|before|[<>]=?)$/;

/** Whether what is said here defines: in parentheses, it says more of a column than which of its values. */
function isDefinition(source: Source, opening: number): boolean {
  const { tokens } = source;
  const close = tokens.findIndex(({ norm }, at) => norm === ')' && at > opening);
  const isEnclosed = tokens[opening]?.norm === '(';
  const [start, end] = [opening + 1, isEnclosed ? close : tokens.length];
  if (opening < 1 || !areConditions(source, start, end)) return false;
  // `(price over 10)` behind a word says which rows are meant.
  const isApart = /^[?.:]$/.test(tokens[opening - 1]?.norm ?? '');
  const inside = tokens.slice(start, end);
  const isSaid = inside.some(({ norm }) => saying.test(norm) || (isApart && comparing.test(norm)));
  const isOfColumn = inside.some((_token, at) => column(source, start + at) !== undefined);
  return !isEnclosed || (isOfColumn && isSaid);
}

/** Whether the words here are conditions, perhaps with the noun of the rows. */
function areConditions(source: Source, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end; ) {
    const found = condition(source, at);
    const token = source.tokens[at];
    const next = found?.end ?? nounEnd(source, at) ?? (token && isFiller(token) ? at + 1 : at);
    if (next === at) return false;
    count += found ? 1 : 0;
    at = next;
  }
  return count > 0;
}

/** Sentences that describe the rows: `access.log is an Apache combined log.`, `orders.csv lists orders with country.` */
export const declaration: Reads<true> = (source, at) => {
  const { tokens, table } = source;
  if (at > 0 && tokens[at - 1]?.text !== '.') return undefined;
  const lead = declared(source, at);
  if (!lead) return undefined;
  const stop = tokens.findIndex(({ text }, index) => index >= lead.end && text === '.');
  const said = tokens.slice(lead.end, stop < 0 ? tokens.length : stop);
  const isMore = ({ kind, norm }: Token) =>
    kind === 'number' ||
    kind === 'file' ||
    /^(?:not|no|except|without|only|unless|but)$/.test(norm);
  if (stop < 0 || said.some(isMore)) return undefined;
  const nouns = said.filter((token) => token.kind === 'word' && !isFiller(token));
  const named = (lead.value.isPerRow ? nouns : nouns.slice(0, 1)).map(({ stem }) => stem);
  source.table = { ...table, nouns: new Set([...table.nouns, ...named]) };
  return { value: true, end: stop };
};

const declared = rule(
  '[the] [file|table|log|database] {file} (is|lists|contains|has|holds|records|stores|describes) lead:[(one|a) (line|row|record|entry) (per|for each)]',
  ({ lead }) => ({ isPerRow: lead !== undefined }),
);
