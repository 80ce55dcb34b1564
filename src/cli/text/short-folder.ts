import { escapeText } from '../../contract/text/escape-text.ts';

/**
 * A folder for a column of a table: escaped, relative to the home folder (`~/code/app`), and cut at its beginning to
 * `length` characters (`…de/app`).
 */
export function shortFolder(path: string, { HOME }: NodeJS.ProcessEnv, length = 30): string {
  const home = HOME?.replace(/\/+$/, '') || undefined;
  const isInHome = path === home || path.startsWith(`${home}/`);
  const all = [...escapeText(isInHome && home ? `~${path.slice(home.length)}` : path)];
  return all.length > length ? `…${all.slice(1 - length).join('')}` : all.join('');
}
