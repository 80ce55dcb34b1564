import type { Token } from '../../language/lexer.ts';
import { type Match, phraseAt, type Reads, rule, type Source } from './grammar.ts';
import { isFiller } from './values.ts';

/** `access.log is an Apache combined log.`, `orders.csv lists orders with country and amount.`: describes the rows. */
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

const place = rule(
  '[the] [{noun}] ({column}|names?|titles?|codes?|ids?|numbers?) word:[is|are] (in|from) {file}',
  ({ word }) => ({ isSaid: word !== undefined }),
);

/** `(tags are in vet.json, names in animals.csv)`: where the columns of joined files are. */
export function placed(source: Source, start: number): Match<true> | undefined {
  let at = source.table.joins && phraseAt(source, start, ['(', '-', '.', '?', ';'])?.end;
  let end: number | undefined;
  while (at !== undefined) {
    const found = place(source, at);
    if (!found || !(end ?? found.value.isSaid)) break;
    end = found.end;
    at = phraseAt(source, end, [',', 'and', ', and'])?.end;
  }
  return end === undefined ? undefined : { value: true, end };
}
