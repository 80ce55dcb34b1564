import type { Cell, Row } from './table.ts';

/** Columns that every access log has, in the order of the rows made here. Trailing fields follow. */
export const accessColumns = [
  'time',
  'client',
  'method',
  'path',
  'endpoint',
  'query',
  'status',
  'bytes',
  'referrer',
  'user_agent',
  'user',
  'line',
] as const;

/** A field after the known ones: `duration_ms=12`, `12ms`, `0.012`. */
export interface Trailing {
  readonly name: string;
  readonly unit: string | undefined;
  readonly value: string;
}

/** Common and combined log format (httpd.apache.org/docs/current/logs.html), with a virtual host before and fields behind. */
const pattern =
  /^(?:\S+:\d+ )?(\S+) \S+ (\S+) \[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d)(?: [+-]\d{4})?\] "((?:[^"\\]|\\.)*)" (\d{3}|-) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?: (.*))?$/;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Whether a line is one of an access log. */
export const isAccessLine = (line: string): boolean => pattern.test(line);

/** One line as a row of `accessColumns`, and its trailing fields; undefined where it is no access log line. */
export function parseAccessLine(
  line: string,
  lineNumber: number,
): { cells: Cell[]; trailing: Trailing[] } | undefined {
  const found = pattern.exec(line);
  if (!found) return undefined;
  const [, client, user, day, month, year, clock, request, status, bytes, referrer, agent, rest] =
    found;
  const monthNumber = months.indexOf(month ?? '') + 1;
  if (monthNumber === 0) return undefined;
  const time = `${year}-${String(monthNumber).padStart(2, '0')}-${day} ${clock}`;
  const cells: Cell[] = [
    time,
    client ?? null,
    ...requestCells(request ?? ''),
    status === '-' ? null : Number(status),
    bytes === '-' ? null : Number(bytes),
    valueOrNull(referrer),
    valueOrNull(agent),
    valueOrNull(user),
    lineNumber,
  ];
  return { cells, trailing: parseTrailing(rest ?? '') };
}

/** Method, path, endpoint and query of a request line; nothing where it is no request line. */
function requestCells(request: string): Cell[] {
  const found = /^([A-Z][A-Z-]{1,19}) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/.exec(request);
  if (!found) return [null, null, null, null];
  const target = found[2] ?? '';
  const mark = target.search(/[?#]/);
  const path = mark === -1 ? target : target.slice(0, mark);
  return [found[1] ?? null, path, endpointOf(path), mark === -1 ? null : target.slice(mark + 1)];
}

/**
 * The endpoint of a path: without its query, ids replaced by `:id`. Ids are segments of digits (a year followed by a month is
 * a date and stays), UUIDs, and 16 or more hexadecimal digits.
 */
export function endpointOf(path: string): string {
  const [bare = ''] = path.split(/[?#]/, 1);
  if (!/\d/.test(bare)) return bare;
  const segments = bare.split('/');
  return segments
    .map((segment, at) => (isId(segment) && !isDatePart(segments, at) ? ':id' : segment))
    .join('/');
}

const isId = (segment: string): boolean =>
  /^\d+$/.test(segment) ||
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(segment) ||
  (/^[0-9a-f]{16,}$/i.test(segment) && /\d/.test(segment));

function isDatePart(segments: readonly string[], at: number): boolean {
  const yearAt = [at, at - 1, at - 2].find((from) => /^(?:19|20)\d\d$/.test(segments[from] ?? ''));
  if (yearAt === undefined) return false;
  return (
    /^(?:0[1-9]|1[0-2])$/.test(segments[yearAt + 1] ?? '') && /^\d{1,4}$/.test(segments[at] ?? '')
  );
}

const valueOrNull = (value: string | undefined): Cell =>
  value === undefined || value === '-' || value === '' ? null : value;

/** Fields behind the known ones, in order. Bare numbers are named by their place. */
function parseTrailing(rest: string): Trailing[] {
  const fields: Trailing[] = [];
  for (const [, key, quoted, plain] of rest.matchAll(
    /(?:([A-Za-z_][\w.-]*)[=:])?(?:"([^"]*)"|(\S+))/g,
  )) {
    const text = quoted ?? plain ?? '';
    const measured = /^(-?\d+(?:\.\d+)?)(ms|s|us|µs)$/.exec(text);
    const unit = measured?.[2]?.replace('µ', 'u') ?? unitOfName(key ?? '');
    fields.push({ name: key ?? `field_${fields.length + 1}`, unit, value: measured?.[1] ?? text });
  }
  return fields;
}

/** The unit that a name ends in: `duration_ms`, `latencySec`. */
export function unitOfName(name: string): string | undefined {
  const last = /[_ -]([A-Za-z]+)$/.exec(name)?.[1] ?? /[a-z]([A-Z][a-z]+)$/.exec(name)?.[1];
  return units.get((last ?? (/^milliseconds$/i.test(name) ? name : '')).toLowerCase());
}

const units = new Map([
  ['ms', 'ms'],
  ['msec', 'ms'],
  ['millis', 'ms'],
  ['milliseconds', 'ms'],
  ['us', 'us'],
  ['micros', 'us'],
  ['s', 's'],
  ['sec', 's'],
  ['secs', 's'],
  ['seconds', 's'],
  ['bytes', 'bytes'],
  ['kb', 'kb'],
  ['mb', 'mb'],
]);

/** Joins a row and the trailing fields in the fixed order of `names`. */
export const withTrailing = (
  cells: readonly Cell[],
  trailing: readonly Trailing[],
  names: readonly string[],
): Row => [
  ...cells,
  ...names.map((name) => trailing.find((field) => field.name === name)?.value ?? null),
];
