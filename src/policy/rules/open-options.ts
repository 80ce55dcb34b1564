import { printable } from '../../contract/text/printable.ts';
import type { RuleText } from './rules-schema.ts';

/** Warns about each `allow` whose `argv` ends with `**`, which allows every option of the program. One sentence each. */
export const openOptions = (rules: readonly Pick<RuleText, 'id' | 'answer' | 'when' | 'where'>[]) =>
  rules.flatMap(({ id, answer, when, where }) => {
    const open = (when.argv ?? []).filter((pattern) => /(?:^|\s)\*\*$/.test(pattern.trim()));
    if (answer !== 'allow' || open.length === 0) return [];
    const shown = printable(open.map((pattern) => `"${pattern}"`).join(', '), 200);
    return [
      `${where} rule "${id}": ${shown} allows every option of the program, also one that runs another program or writes a file. Name the words that are meant, with "*" for one word.`,
    ];
  });
