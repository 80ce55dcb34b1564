import { globProblem } from './glob-tokens.ts';

/**
 * The correction of an ambiguous glob of names (of tools, operations, capsules); undefined for
 * all others.
 */
export function nameGlobProblem(pattern: string): string | undefined {
  if (pattern.includes('***')) return 'write "*" for any rest of a name';
  if (pattern.includes('..')) return 'list the names: "{a,b,c}"';
  if (countOf(pattern, '{') !== countOf(pattern, '}')) return 'close every "{"';
  return globProblem(pattern);
}

const countOf = (text: string, char: string): number => text.split(char).length;
