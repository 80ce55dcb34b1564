import { replaceUnseen } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';

/** Prints one JSON document on stdout, with control and invisible characters as JSON escapes. */
export function printJson({ stdout }: Pick<CommandIo, 'stdout'>, document: unknown): void {
  // `JSON.stringify` escapes line breaks inside strings: the ones left are its formatting.
  const json = JSON.stringify(document, undefined, 2);
  stdout(`${withoutMarkers(replaceUnseen(json, escapeOf, true))}\n`);
}

/** The same on one line, for JSON Lines. */
export function printJsonLine({ stdout }: Pick<CommandIo, 'stdout'>, document: unknown): void {
  stdout(`${jsonLine(document)}\n`);
}

/** The same as a text without a line break at its end. */
export const jsonLine = (document: unknown): string =>
  withoutMarkers(replaceUnseen(JSON.stringify(document), escapeOf));

/** Some CI systems take `##[` for a command anywhere in the output. In JSON it only occurs in strings. */
const withoutMarkers = (json: string): string => json.replace(/##(?=\[)/g, '#\\u0023');

/** The JSON `text` as it is printed on a terminal: the same document, without raw control and invisible characters. */
export const terminalJson = (text: string): string => replaceUnseen(text, escapeOf, true);

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
