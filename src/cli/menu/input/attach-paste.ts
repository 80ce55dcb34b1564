import { hostsInText } from '../../../contract/text/hosts-in-text.ts';

/** A pasted text that the line shows as `[pasted 214 lines]` or `[pasted 11,204 characters]`. */
export interface PastedText {
  readonly marker: string;
  readonly text: string;
}

/** A paste of up to this many lines is inserted as text. */
const MAX_LINES = 3;
/** Up to this many short lines are inserted as text, too, unless they begin with a command or name a host. */
const MAX_SHORT_LINES = 10;
const MAX_SHORT_CHARS = 100;
/** A longer paste is attached, whatever its lines. */
const MAX_TEXT_CHARS = 2_000;

const linesOf = (paste: string): readonly string[] => paste.replace(/\n$/, '').split('\n');

/** Whether a paste is inserted as text, which the person sees and edits, and not attached. */
export function isText(paste: string): boolean {
  const lines = linesOf(paste);
  if (paste.length > MAX_TEXT_CHARS) return false;
  if (lines.length <= MAX_LINES) return true;
  const isShort =
    lines.length <= MAX_SHORT_LINES && lines.every(({ length }) => length <= MAX_SHORT_CHARS);
  return isShort && !paste.trimStart().startsWith('/') && hostsInText(paste).size === 0;
}

/** A paste as an attachment. @param others Pastes already in the line: markers must be unique. */
export function pastedText(paste: string, others: readonly PastedText[]): PastedText {
  const lines = linesOf(paste).length;
  const [count, unit] = lines > MAX_LINES ? [lines, 'lines'] : [paste.length, 'characters'];
  const words = `pasted ${count.toLocaleString('en')} ${unit}`;
  const isTaken = (marker: string) => others.some((one) => one.marker === marker);
  let marker = `[${words}]`;
  for (let number = 2; isTaken(marker); number += 1) marker = `[${words}, ${number}]`;
  return { marker, text: paste };
}

/** The text with each paste in place of its marker, where nothing can be attached. */
export const withPastes = (text: string, pasted: readonly PastedText[]): string =>
  pasted.reduce((whole, one) => whole.replace(one.marker, () => one.text), text);

interface Attached {
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
}

/** The pastes of a line that was sent. */
export const pastesOf = ({ attachments }: Attached): readonly PastedText[] =>
  attachments.map(({ name, text }) => ({ marker: `[${name}]`, text }));

/** The marks that a terminal puts around a paste; no typed text contains them. */
const [BEGIN, END] = ['\u001b[200~', '\u001b[201~'] as const;

/** A line that was sent, for the history: its pastes between marks, so that they are attached again when it is recalled. */
export const historyLine = (submitted: Attached & { readonly typed: string }): string =>
  withPastes(
    submitted.typed,
    pastesOf(submitted).map(({ marker, text }) => ({ marker, text: `${BEGIN}${text}${END}` })),
  );

/** A line of the history as it was typed, and its pastes added to those of the line. */
export function recalled(entry: string, known: readonly PastedText[] = []) {
  const [start = '', ...rest] = entry.split(BEGIN);
  const pasted = [...known];
  const text = rest.map((part) => {
    const [paste = '', after = ''] = part.split(END);
    const one = pasted.find((earlier) => earlier.text === paste) ?? pastedText(paste, pasted);
    if (!pasted.includes(one)) pasted.push(one);
    return `${one.marker}${after}`;
  });
  return { text: `${start}${text.join('')}`, pasted };
}

/** The attachments whose marker is still in the text. */
export const attachmentsIn = (text: string, pasted: readonly PastedText[]) =>
  pasted
    .filter(({ marker }) => text.includes(marker))
    .map(({ marker, text: content }) => ({ name: marker.slice(1, -1), text: content }));

/** Whether nothing was typed besides the markers of attachments. */
export const isOnlyPasted = (submitted: Attached & { readonly text: string }): boolean =>
  submitted.attachments.length > 0 &&
  pastesOf(submitted)
    .reduce((rest, { marker }) => rest.replace(marker, ''), submitted.text)
    .trim() === '';
