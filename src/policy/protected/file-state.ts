/** The state of a file that a call wants to write, as the table of decisions distinguishes it. */
export type WrittenFileState =
  | 'absent'
  /** It already has the content that would be written. */
  | 'unchanged'
  | 'written_last_by_capstan'
  | 'other'
  | 'changed_since_read';

export interface FileHistory {
  /** SHA-256 of the present content; undefined if there is no file. */
  readonly now: string | undefined;
  /** SHA-256 of the new content; undefined if it is not known beforehand. */
  readonly after?: string | undefined;
  /** SHA-256 that this run read or wrote last; `absent` if it removed the file. */
  readonly readByRun?: string | undefined;
  /** SHA-256 that Capstan wrote last, in any run. */
  readonly writtenByCapstan?: string | undefined;
}

/**
 * What another run of Capstan wrote since this one read the file is a change like any other. A file that the run read
 * and that is gone has changed as well.
 */
export function fileStateOf({
  now,
  after,
  readByRun,
  writtenByCapstan,
}: FileHistory): WrittenFileState {
  if (now !== undefined && now === after) return 'unchanged';
  if (readByRun !== undefined && (now ?? 'absent') !== readByRun) return 'changed_since_read';
  if (now !== undefined && now === writtenByCapstan) return 'written_last_by_capstan';
  return now === undefined ? 'absent' : 'other';
}
