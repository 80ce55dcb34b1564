import { escapeText } from '../../contract/text/escape-text.ts';

/** Untrusted text as one escaped line, for a cell of a list. */
export const oneLine = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** How long ago an ISO 8601 time was: `now`, `9 min`, `3 h`, then the day: `21 Nov`, `21 Nov 2025`. */
export function ageText(iso: string, now: Date): string {
  const then = new Date(iso);
  const ageMs = now.getTime() - then.getTime();
  if (ageMs < MINUTE_MS) return 'now';
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h`;
  const day = `${then.getDate()} ${months[then.getMonth()] ?? ''}`;
  return then.getFullYear() === now.getFullYear() ? day : `${day} ${then.getFullYear()}`;
}
