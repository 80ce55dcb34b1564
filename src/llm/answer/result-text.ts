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
    const next = at + characterLength(json, at);
    if (next > json.length) break;
    at = next;
  }
  return at;
}

/** How long an escape is; of a pair, that of both. Longer than the rest if more has to arrive. */
function characterLength(json: string, at: number): number {
  if (json[at] !== '\\') return 1;
  if (json[at + 1] !== 'u') return 2;
  const isFirst = /^d[89ab]/i.test(json.slice(at + 2, at + 4));
  const second = json.slice(at + 6, at + 8);
  return isFirst && '\\u'.startsWith(second) ? 12 : 6;
}
