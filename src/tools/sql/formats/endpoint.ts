/**
 * The endpoint of a path: ids replaced by `:id`. Ids are segments of digits (a year followed by a month is a date and
 * stays), UUIDs, and 16 or more hexadecimal digits.
 */
export function endpointOf(path: string): string {
  if (!/\d/.test(path)) return path;
  const segments = path.split('/');
  return segments
    .map((segment, at) => (isId(segment) && !isDatePart(segments, at) ? ':id' : segment))
    .join('/');
}

const ID = /^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=.*\d)[0-9a-f]{16,})$/i;

const isId = (segment: string): boolean => ID.test(segment);

function isDatePart(segments: readonly string[], at: number): boolean {
  const yearAt = [at, at - 1, at - 2].find((from) => /^(?:19|20)\d\d$/.test(segments[from] ?? ''));
  if (yearAt === undefined) return false;
  return (
    /^(?:0[1-9]|1[0-2])$/.test(segments[yearAt + 1] ?? '') && /^\d{1,4}$/.test(segments[at] ?? '')
  );
}
