import type { Token } from '../../../language/lexer.ts';
import { type Reads, rule } from '../grammar.ts';
import { isFiller } from '../values/values.ts';

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
