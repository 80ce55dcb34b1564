import { FINAL } from '../../contract/wire/final.ts';
import { parseJson } from '../../platform/text/parse-json.ts';

/** Where the text begins. The quote ends no escape: it is not in a text that contains the same words. */
const START = /(?<=[^\\])"result"\s*:\s*"/;
/** More than `START` matches. */
const OVERLAP_CHARS = 40;

/**
 * Reads the answer that a model gives as the argument `result` of the tool `final`, while the arguments arrive.
 *
 * @returns Takes the next piece of the arguments of a tool call, as JSON text. Returns the text that it adds to the answer; it
 * begins with an empty line.
 */
export function createResultText(): (tool: string, piece: string) => string {
  let held = '';
  let isInside = false;
  const takeWhole = () => {
    const end = wholeUntil(held);
    const text = parseJson(`"${held.slice(0, end)}"`);
    held = held.slice(end);
    return typeof text === 'string' ? text : '';
  };
  return (tool, piece) => {
    if (tool !== FINAL) return '';
    held += piece;
    if (isInside) return takeWhole();
    const start = START.exec(held);
    isInside = start !== null;
    held = start ? held.slice(start.index + start[0].length) : held.slice(-OVERLAP_CHARS);
    return isInside ? `\n\n${takeWhole()}` : '';
  };
}

/** The end of the text, or of its last character that is whole: escapes and surrogate pairs may be cut. */
function wholeUntil(json: string): number {
  let at = 0;
  while (at < json.length && json[at] !== '"') {
    const next = at + escapeLength(json.slice(at, at + 4));
    if (next > json.length) break;
    at = next;
  }
  return at;
}

/** @param start The first four characters: `\ud8` to `\udb` begin a pair. */
function escapeLength(start: string): number {
  if (!start.startsWith('\\')) return 1;
  if (!start.startsWith('\\u')) return 2;
  return /d[89ab]/i.test(start) || start.length < 4 ? 12 : 6;
}
