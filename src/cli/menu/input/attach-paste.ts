/** A pasted text that stands in the line as `[pasted 214 lines]`. */
export interface PastedText {
  readonly marker: string;
  readonly text: string;
}

/** Lines up to which a paste is text of its own. */
const MAX_LINES = 3;

/**
 * Makes an attachment of a long paste; undefined for one that is text.
 *
 * @param others Pastes that stand in the line already: no two markers are the same.
 */
export function pastedText(paste: string, others: readonly PastedText[]): PastedText | undefined {
  const lines = paste.replace(/\n$/, '').split('\n').length;
  if (lines <= MAX_LINES) return undefined;
  const words = `pasted ${lines.toLocaleString('en')} lines`;
  const isTaken = (marker: string) => others.some((one) => one.marker === marker);
  let marker = `[${words}]`;
  for (let count = 2; isTaken(marker); count += 1) marker = `[${words}, ${count}]`;
  return { marker, text: paste };
}

/** The attachments whose marker still stands in the text. */
export const attachmentsIn = (text: string, pasted: readonly PastedText[]) =>
  pasted
    .filter(({ marker }) => text.includes(marker))
    .map(({ marker, text: content }) => ({ name: marker.slice(1, -1), text: content }));
