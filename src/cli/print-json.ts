import { replaceUnseen } from '../contract/text/escape-text.ts';
import type { CommandIo } from './command.ts';

/**
 * Prints one JSON document on stdout. Characters that a terminal would obey or not show are written as JSON's own
 * escapes: the document stays the same.
 */
export function printJson({ stdout }: Pick<CommandIo, 'stdout'>, document: unknown): void {
  // Only what parts the lines is a bare line break: within strings `JSON.stringify` has escaped it.
  stdout(`${replaceUnseen(JSON.stringify(document, undefined, 2), escapeOf, true)}\n`);
}

/** The same on one line, for documents that follow one another. */
export function printJsonLine({ stdout }: Pick<CommandIo, 'stdout'>, document: unknown): void {
  stdout(`${replaceUnseen(JSON.stringify(document), escapeOf, true)}\n`);
}

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
