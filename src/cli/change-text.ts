import type { FileDiff, RunDiff } from '../app/runs/diff-run.ts';

type Reason = NonNullable<FileDiff['reason']>;

const reasons: Readonly<Record<Reason, string>> = {
  not_kept: 'a program changed it, and its content before was not kept',
  appeared_during_command:
    'it appeared while a command ran that did not name it: something else may have made it',
  over_limit: 'its content does not fit into CAPSTAN_UNDO_MB',
  holds_secret: 'a known secret is in it, so its content was not copied',
  not_stored: 'its content before could not be kept',
  changed_between: 'something else changed it during the run',
  name_not_utf8: 'its name is not UTF-8',
  changed_since: 'it changed after the run',
  missing: 'it was removed after the run',
  path_taken: 'another file has its path now',
  outcome_unknown: 'the operation was cut off, and its outcome is not known',
  symbolic_link: 'it is a symbolic link',
  not_a_file: 'it is not a regular file',
  protected: 'it is a protected path',
  already_undone: 'it is as it was before the run',
};

/** Why a file can't be undone. */
export const changeReason = (reason: Reason): string => reasons[reason];

/** Says why files may be missing from a list of changes; empty if none is. */
export function gapText(gaps: RunDiff['gaps']): string {
  if (gaps.length === 0) return '';
  const isCut = gaps.some(({ reason }) => reason === 'interrupted');
  const why = isCut ? 'a command was cut off' : 'the workspace has too many files';
  return `\nNot all files were looked at (${why}): programs may have changed others.\n`;
}
