/** What stands at a path that a call wants to write, as far as the table of decisions asks. */
export type WrittenFileState =
  | 'absent'
  /** What is to be written stands there already. */
  | 'unchanged'
  | 'written_last_by_capstan'
  | 'other'
  | 'changed_since_read';

export interface FileHistory {
  /** SHA-256 of what stands there now; undefined where nothing does. */
  readonly now: string | undefined;
  /** SHA-256 of what will stand there; undefined where that is not known before. */
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
