import { escapeText } from '../../contract/text/escape-text.ts';

/** A path as people write it, escaped: `~/shop`. */
export function folderText(path: string, home: string | undefined): string {
  const base = home?.replace(/\/+$/, '');
  const isInHome = base && (path === base || path.startsWith(`${base}/`));
  return escapeText(isInHome ? `~${path.slice(base.length)}` : path);
}

/** The same for a column of a table, cut at its beginning to `length` characters: `…de/app`. */
export function shortFolder(path: string, { HOME }: NodeJS.ProcessEnv, length = 30): string {
  const all = [...folderText(path, HOME)];
  return all.length > length ? `…${all.slice(1 - length).join('')}` : all.join('');
}
