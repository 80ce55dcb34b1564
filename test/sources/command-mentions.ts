import type { CommandDefinition } from '../../src/cli/command.ts';

/**
 * A string or a comment, whichever begins first. A string may contain what looks like a comment, and the other way
 * round.
 */
const stringOrComment =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*.*?\*\/|\/\/[^\n]*/gs;

const withoutComments = (text: string): string =>
  text.replace(stringOrComment, (match) => (match.startsWith('/') ? '' : match));

/** Finds `capstan <command>` and the flags of Capstan in source text, comments apart. */
export function createMentionFinder(commands: readonly CommandDefinition[]) {
  const names = commands.map(({ name }) => name).join('|');
  const flags = [...new Set(commands.flatMap(flagsOf))].join('|');
  const mention = new RegExp(`\\bcapstan (?:${names})\\b|(?<![\\w-])(?:${flags})(?![\\w-])`, 'g');
  return (text: string): string[] => [...new Set(withoutComments(text).match(mention) ?? [])];
}

/** `--json`, `--budget-usd`, those of subcommands too. */
function flagsOf({ options, hiddenOptions, subcommands = [] }: CommandDefinition): string[] {
  const own = Object.keys({ ...options, ...hiddenOptions }).flatMap(
    (flags) => flags.match(/--[\w-]+/g) ?? [],
  );
  return [...own, ...subcommands.flatMap(flagsOf)];
}
