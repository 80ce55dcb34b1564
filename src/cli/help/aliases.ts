/** Earlier names of commands, and their replacements. They are in no help and on no page. */
export const aliases: Readonly<Record<string, string>> = {
  replay: 'runs replay',
  fork: 'runs fork',
  cost: 'runs cost',
  audit: 'runs audit',
  route: 'capsules route',
  trust: 'policy trust',
  breakers: 'doctor breakers',
  init: 'config init',
  'approvals remembered': 'policy remembered',
  'approvals revoke': 'policy remembered revoke',
};

/** The same words without an alias at their beginning. */
export function withoutAlias(words: readonly string[]): readonly string[] {
  const first = (count: number) => words.slice(0, count).join(' ');
  const count = [2, 1].find((one) => Object.hasOwn(aliases, first(one))) ?? 0;
  return [...(aliases[first(count)]?.split(' ') ?? []), ...words.slice(count)];
}
