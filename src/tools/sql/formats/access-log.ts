import type { Cell } from '../files/column-cells.ts';
import { placePairs } from './pairs-table.ts';
import { lineReader, type RowTarget } from './reader.ts';

const columns = [
  ...['line', 'client', 'user', 'time', 'utc_offset', 'method', 'path', 'endpoint', 'query'],
  ...['protocol', 'request', 'status', 'bytes', 'referrer', 'user_agent'],
] as const;

/** Common and combined log format (httpd.apache.org/docs/current/logs.html), with a virtual host before and fields behind. */
const LINE =
  /^(?:\S+:\d+ )?(\S+) \S+ (\S+) \[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d)(?: ([+-]\d{4}))?\] "([^"\\]*(?:\\.[^"\\]*)*)" (\d{3}|-) (\d+|-)(?: "([^"\\]*(?:\\.[^"\\]*)*)" "([^"\\]*(?:\\.[^"\\]*)*)")?(?: (.*))?$/;
const REQUEST = /^([A-Z][A-Z-]{1,19}) (\S+)(?: (HTTP\/\d(?:\.\d)?))?$/;
const FIELD = /(?:([A-Za-z_][\w.-]*)[=:])?(?:"([^"]*)"|(\S+))/g;

const NONE: readonly string[] = [];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const isAccessLine = (line: string): boolean => LINE.test(line);

/**
 * Access logs. `time` is the log's own clock without its offset, `YYYY-MM-DD HH:MM:SS`. Fields behind the known ones have
 * the names that they have in the log, or `field_1`, …; one whose unit is documented is also a column in milliseconds.
 */
export const accessLogReader = lineReader({
  format: 'access_log',
  columns,
  fixed: new Map(
    columns
      .filter((name) => !['line', 'status', 'bytes'].includes(name))
      .map((name) => [name, name === 'time' ? 'datetime' : 'text']),
  ),
  isSkipped: (line) => line === '' || line.startsWith('#'),
  cellsOf,
  problem: 'not an access log line',
});

function cellsOf(line: string, number: number, into: RowTarget): Cell[] | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const { 1: client, 2: user, 3: day, 4: month = '', 5: year, 6: clock, 7: offset } = found;
  const { 8: request = '', 9: status, 10: bytes, 11: referrer, 12: agent, 13: rest } = found;
  const monthNumber = months.indexOf(month) + 1;
  if (monthNumber === 0) return undefined;
  const time = `${year}-${monthNumber < 10 ? '0' : ''}${monthNumber}-${day} ${clock}`;
  const { 1: method, 2: target, 3: protocol } = REQUEST.exec(request) ?? NONE;
  const end = target?.search(/[?#]/) ?? -1;
  const path = end < 0 ? target : target?.slice(0, end);
  const query = end < 0 ? undefined : target?.slice(end + 1);
  const endpoint = path && endpointOf(path);
  // biome-ignore format: in the order of the columns
  const cells: Cell[] = [
    String(number), client, user, time, offset, method, path, endpoint, query,
    protocol, request, status, bytes, referrer, agent,
  ];
  if (rest !== undefined) addFields(rest, cells, into);
  return cells;
}

/** nginx documents these in seconds with three decimals, as it does a bare `0.132`. */
const inSeconds = /^(?:rt|urt|uct|uht|request_time|upstream_(?:response|connect|header)_time)$/i;
const NGINX_TIME = /^\d+\.\d{3}$/;

function addFields(rest: string, cells: Cell[], into: RowTarget): void {
  let bare = 0;
  FIELD.lastIndex = 0;
  for (let found = FIELD.exec(rest); found; found = FIELD.exec(rest)) {
    const key = found[1];
    const text = found[2] ?? found[3] ?? '';
    bare += Number(key === undefined);
    const isSeconds = NGINX_TIME.test(text) && (key === undefined || inSeconds.test(key));
    const known = key ?? (isSeconds ? 'request_time' : `field_${bare}`);
    const name = cells[into.place(known)] === undefined ? known : `field_${bare}`;
    placePairs([[name, text]], cells, into);
    if (isSeconds) cells[into.place(`${name}_ms`)] = String(Number(`${text}e3`));
  }
}

/**
 * The endpoint of a path: ids replaced by `:id`. Ids are segments of digits (a year followed by a month is a date and
 * stays), UUIDs, and 16 or more hexadecimal digits.
 */
function endpointOf(path: string): string {
  if (!/[\d-]/.test(path)) return path;
  const segments = path.split('/');
  return segments
    .map((segment, at) => (ID.test(segment) && !isDatePart(segments, at) ? ':id' : segment))
    .join('/');
}

const ID = /^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=.*\d)[0-9a-f]{16,})$/i;

function isDatePart(segments: readonly string[], at: number): boolean {
  const yearAt = [at, at - 1, at - 2].find((from) => /^(?:19|20)\d\d$/.test(segments[from] ?? ''));
  if (yearAt === undefined) return false;
  return (
    /^(?:0[1-9]|1[0-2])$/.test(segments[yearAt + 1] ?? '') && /^\d{1,4}$/.test(segments[at] ?? '')
  );
}
