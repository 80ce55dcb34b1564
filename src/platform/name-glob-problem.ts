import { globProblem } from './glob-tokens.ts';

/**
 * What to write instead of a glob of names (of tools, operations, capsules) that has more than one reading; undefined for
 * all others.
 */
export function nameGlobProblem(pattern: string): string | undefined {
  if (pattern.includes('***')) return 'write "*" for any rest of a name';
  if (pattern.includes('..')) return 'list the names: "{a,b,c}"';
  if (countOf(pattern, '{') !== countOf(pattern, '}')) return 'close every "{"';
  return globProblem(pattern);
}

const countOf = (text: string, char: string): number => text.split(char).length;
