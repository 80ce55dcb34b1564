/** The states of a file to write that decisions distinguish. `unchanged`: it already has the new content. */
export const writtenFileStates = [
  'absent',
  'unchanged',
  'written_last_by_capstan',
  'other',
  'changed_since_read',
] as const;
export type WrittenFileState = (typeof writtenFileStates)[number];

export interface FileHistory {
  /** SHA-256 of the current content; undefined if there is no file. */
  readonly now: string | undefined;
  /** SHA-256 of the new content; undefined if it is not known beforehand. */
  readonly after?: string | undefined;
  /** SHA-256 that this run read or wrote last; `absent` if it removed the file. */
  readonly readByRun?: string | undefined;
  /** SHA-256 that Capstan wrote last: in any run if it created the file, else in this run. */
  readonly writtenByCapstan?: string | undefined;
}

/**
 * A change by another run of Capstan since this run read the file is a change like any other, and so is a file that the run
 * read and that no longer exists.
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
