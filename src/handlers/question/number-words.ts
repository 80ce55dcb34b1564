import { eat, norm, type Parser, peek } from './parser.ts';

const words = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value] as const),
);
for (const [at, word] of 'thirty forty fifty sixty seventy eighty ninety'.split(' ').entries()) {
  words.set(word, (at + 3) * 10);
}
words.set('hundred', 100).set('dozen', 12);

/** A whole number, in digits or as a word: `10`, `ten`, `twenty-five`, `a hundred`. */
export function parseCount(parser: Parser): number | undefined {
  const token = peek(parser);
  if (token?.kind === 'number' && Number.isInteger(token.value)) {
    parser.at += 1;
    return token.value;
  }
  if (['hundred', 'dozen'].includes(norm(parser, 1))) eat(parser, 'a', 'one');
  const value = wordValue(norm(parser));
  if (value === undefined) return undefined;
  parser.at += 1;
  return value;
}

/** `ten`, `twenty-five`. */
export function wordValue(word: string): number | undefined {
  const known = words.get(word);
  if (known !== undefined) return known;
  const [tens, ones] = word.split('-');
  const [a, b] = [words.get(tens ?? ''), words.get(ones ?? '')];
  return a !== undefined && b !== undefined && a >= 20 && b < 10 ? a + b : undefined;
}
