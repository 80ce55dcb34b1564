let lastMs = Number.NaN;
let lastText = '';

/** A time as ISO 8601 in UTC, to the millisecond. The last text is cached, because many calls fall into the same millisecond. */
export function isoTime(time: Date): string {
  const ms = time.getTime();
  if (ms !== lastMs) {
    lastText = time.toISOString();
    lastMs = ms;
  }
  return lastText;
}
