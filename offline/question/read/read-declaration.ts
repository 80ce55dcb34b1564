import type { Token } from '../../language/lexer.ts';
import { eat, isAtEnd, isFiller, peek, type Reader, skip } from './reader.ts';

/** `access.log is an Apache combined log.`, `orders.csv lists orders with country and amount.`: describes the rows. */
export function readDeclaration(reader: Reader): boolean {
  const { tokens, at } = reader;
  if (at > 0 && tokens[at - 1]?.text !== '.') return false;
  skip(reader, ['the', 'file', 'table', 'log', 'database']);
  if (peek(reader)?.kind !== 'file') return false;
  reader.at += 1;
  if (!eat(reader, verbs)) return false;
  const nouns =
    eat(reader, perRow) === undefined ? nounsAhead(reader)?.slice(0, 1) : nounsAhead(reader);
  if (!nouns) return false;
  if (isAtEnd(reader)) return false;
  for (const noun of nouns) (reader.table.nouns as Set<string>).add(noun);
  return true;
}

/** The nouns up to the full stop; undefined if more is said than what the rows are. */
function nounsAhead(reader: Reader): string[] | undefined {
  const nouns: string[] = [];
  for (let token = peek(reader); token && token.text !== '.'; token = peek(reader)) {
    if (isMore(token)) return undefined;
    if (token.kind === 'word' && !isFiller(token)) nouns.push(token.stem);
    reader.at += 1;
  }
  return nouns;
}

const verbs = ['is', 'lists', 'contains', 'has', 'holds', 'records', 'stores', 'describes'];
const perRow = [
  'one line per',
  'one row per',
  'one record per',
  'one entry per',
  'a line per',
  'a row per',
  'one line for each',
  'one row for each',
];

/** Words that say more than what the rows are. */
const isMore = ({ kind, norm }: Token): boolean =>
  kind === 'number' || kind === 'file' || /^(?:not|no|except|without|only|unless|but)$/.test(norm);
