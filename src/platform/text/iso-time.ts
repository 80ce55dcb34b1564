let lastMs = Number.NaN;
let lastText = '';

/** The time in ISO 8601. Each millisecond is formatted once, which takes longer than most steps of a call. */
export function isoTime(time: Date): string {
  const ms = time.getTime();
  if (ms === lastMs) return lastText;
  lastText = time.toISOString();
  lastMs = ms;
  return lastText;
}
