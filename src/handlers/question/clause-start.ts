import { type Parser, peek } from './parser.ts';
import { phrases } from './phrases.ts';

const before = new Set(phrases('and|then|please|also|finally|you|to|me|now|or|want|would|us'));

/** Whether a verb may stand here; elsewhere such a word is part of a name: "the Rank of …". */
export function atClauseStart(parser: Parser): boolean {
  const token = peek(parser, -1);
  return (
    token === undefined || token.kind === 'punct' || token.kind === 'file' || before.has(token.norm)
  );
}
