import { escapeText } from '../../contract/text/escape-text.ts';

/** Untrusted text as one escaped line, for a cell of a list. */
export const oneLine = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim());

/** A folder as people write it, escaped: `~/shop`. */
export function folderText(path: string, home: string | undefined): string {
  const base = home?.replace(/\/+$/, '');
  const isInHome = base && (path === base || path.startsWith(`${base}/`));
  return escapeText(isInHome ? `~${path.slice(base.length)}` : path);
}
