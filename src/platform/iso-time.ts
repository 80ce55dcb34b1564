let lastMs = Number.NaN;
let lastText = '';

/** A time as ISO 8601 in UTC, to the millisecond. Many are asked for within one millisecond: the last text is kept. */
export function isoTime(time: Date): string {
  const ms = time.getTime();
  if (ms !== lastMs) {
    lastText = time.toISOString();
    lastMs = ms;
  }
  return lastText;
}
