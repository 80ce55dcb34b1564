/** A pasted text that the line shows as `[pasted 214 lines]`. */
export interface PastedText {
  readonly marker: string;
  readonly text: string;
}

/** A paste of up to this many lines is inserted as text. */
const MAX_LINES = 3;

/**
 * Turns a long paste into an attachment. Returns undefined for a short one, which is inserted as text.
 *
 * @param others Pastes already in the line: markers must be unique.
 * @param most Most lines of a short one.
 */
export function pastedText(
  paste: string,
  others: readonly PastedText[],
  most = MAX_LINES,
): PastedText | undefined {
  const lines = paste.replace(/\n$/, '').split('\n').length;
  if (lines <= most) return undefined;
  const words = `pasted ${lines.toLocaleString('en')} lines`;
  const isTaken = (marker: string) => others.some((one) => one.marker === marker);
  let marker = `[${words}]`;
  for (let count = 2; isTaken(marker); count += 1) marker = `[${words}, ${count}]`;
  return { marker, text: paste };
}

/** The text with each paste in place of its marker, where nothing can be attached. */
export const withPastes = (text: string, pasted: readonly PastedText[]): string =>
  pasted.reduce((whole, one) => whole.replace(one.marker, () => one.text), text);

/** The attachments whose marker is still in the text. */
export const attachmentsIn = (text: string, pasted: readonly PastedText[]) =>
  pasted
    .filter(({ marker }) => text.includes(marker))
    .map(({ marker, text: content }) => ({ name: marker.slice(1, -1), text: content }));

/** Whether nothing was typed besides the markers of attachments. */
export const isOnlyPasted = (submitted: {
  readonly text: string;
  readonly attachments: readonly { readonly name: string }[];
}): boolean =>
  submitted.attachments.length > 0 &&
  submitted.attachments
    .reduce((rest, { name }) => rest.replace(`[${name}]`, ''), submitted.text)
    .trim() === '';
