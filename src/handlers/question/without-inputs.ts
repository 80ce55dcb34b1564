import { findFiles } from './find-files.ts';
import { phrases } from './phrases.ts';
import type { Token } from './tokens.ts';

const links = new Set(phrases('in|from|of|for|inside|within|on|across'));
const nouns = new Set(
  phrases(
    'the|file|log|database|table|csv|json|sqlite|data|dataset|access|web|server|apache|nginx|logfile',
  ),
);

/** Leaves out "in access.log", "of the CSV file x.csv": where a file is named inside a phrase it would tear it apart. */
export function withoutInputs(tokens: readonly Token[]): Token[] {
  const { inputs } = findFiles(tokens);
  const left: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const isInput = token.kind === 'file' && inputs.includes(token.text);
    const start = isInput && tokens[at + 1]?.kind === 'word' ? linkBefore(left) : undefined;
    if (start === undefined) left.push(token);
    else left.splice(start);
  }
  return left;
}

/** Where the words that lead to a file begin; undefined where it is no "in the log …". */
function linkBefore(tokens: readonly Token[]): number | undefined {
  let at = tokens.length - 1;
  while (at >= 0 && nouns.has(tokens[at]?.norm ?? '')) at -= 1;
  return links.has(tokens[at]?.norm ?? '') ? at : undefined;
}
