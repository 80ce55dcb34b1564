import type { Column } from './table.ts';

/** Whether columns are those of a log, whatever the format of the file: of a web server, or lines with a time and a level. */
export function isLogLike(columns: readonly Column[]): boolean {
  const roles = new Set(columns.map(({ role }) => role));
  const hasPlace = roles.has('path') || roles.has('endpoint');
  return (
    (hasPlace && (roles.has('status') || roles.has('duration'))) ||
    (roles.has('level') && roles.has('time'))
  );
}
