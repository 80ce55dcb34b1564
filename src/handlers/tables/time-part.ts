import type { TimePart } from './query.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A part of a time `YYYY-MM-DD HH:MM:SS`. Parts that stay on the calendar sort as text; weeks and weekdays are ISO 8601. */
export function timePart(time: string, part: TimePart): string | number {
  switch (part) {
    case 'year':
      return Number(time.slice(0, 4));
    case 'quarter':
      return `${time.slice(0, 4)}-Q${Math.ceil(Number(time.slice(5, 7)) / 3)}`;
    case 'month':
      return time.slice(0, 7);
    case 'week':
      return weekOf(time);
    case 'day':
      return time.slice(0, 10);
    case 'hour':
      return `${time.slice(0, 13)}:00`;
    case 'minute':
      return time.slice(0, 16);
    case 'second':
      return time;
    case 'hour of day':
      return Number(time.slice(11, 13));
    case 'weekday':
      return weekdays[dateOf(time).getUTCDay()] ?? '';
  }
}

/** Monday is 1; undefined for what is no weekday. */
export function weekdayNumber(name: string): number | undefined {
  const at = weekdays.indexOf(name);
  if (at === -1) return undefined;
  return at === 0 ? 7 : at;
}

const DAY_MS = 86_400_000;
const dateOf = (time: string): Date => new Date(`${time.slice(0, 10)}T00:00:00Z`);

function weekOf(time: string): string {
  const date = dateOf(time);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
