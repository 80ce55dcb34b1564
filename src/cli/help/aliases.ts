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
  for (const count of [2, 1]) {
    const given = words.slice(0, count).join(' ');
    const meant = Object.hasOwn(aliases, given) ? aliases[given] : undefined;
    if (meant !== undefined) return [...meant.split(' '), ...words.slice(count)];
  }
  return words;
}
