const MINUTES = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };

/**
 * Parses a point in time: a day (`2027-01-31`, local time), an ISO 8601 time, or a duration from now (`30m`, `12h`, `7d`,
 * `4w`). A day means its end in the future and its start in the past. Undefined if the text is invalid.
 */
export function momentOf(text: string, now: Date, direction: 'past' | 'future'): Date | undefined {
  const trimmed = text.trim();
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(trimmed) ?? [];
  if (count !== undefined) {
    const spanMs = Number(count) * MINUTES[unit as keyof typeof MINUTES] * 60_000;
    return validated(new Date(now.getTime() + (direction === 'future' ? spanMs : -spanMs)));
  }
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed);
  if (day) return dayOf(day.slice(1).map(Number), direction);
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?$/.test(trimmed)
    ? validated(new Date(trimmed))
    : undefined;
}

function dayOf([year = 0, month = 0, day = 0]: readonly number[], direction: 'past' | 'future') {
  const begin = new Date(year, month - 1, day);
  if (begin.getMonth() !== month - 1 || begin.getDate() !== day) return undefined;
  return direction === 'past' ? begin : new Date(year, month - 1, day + 1);
}

const validated = (date: Date): Date | undefined =>
  Number.isNaN(date.getTime()) ? undefined : date;
