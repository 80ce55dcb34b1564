import { escapeText } from '../../contract/text/escape-text.ts';

/** Untrusted text with a mark before each line, so that no line can look like Capstan's own output. */
export const quotedText = (text: string): string => escapeText(text, true).replace(/^/gm, '  │ ');
