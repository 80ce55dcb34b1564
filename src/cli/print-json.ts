import type { CommandIo } from './command.ts';

/**
 * Prints one JSON document on stdout. Characters that a terminal would obey or not show are written as JSON's own
 * escapes: the document stays the same.
 */
export function printJson({ stdout }: Pick<CommandIo, 'stdout'>, document: unknown): void {
  stdout(`${JSON.stringify(document, undefined, 2).replace(UNSEEN, escapeOf)}\n`);
}

/** JSON's own line breaks apart: within strings `JSON.stringify` has escaped them. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
