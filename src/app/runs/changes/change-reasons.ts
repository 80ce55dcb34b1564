import type { FileDiff } from './diff-run.ts';

type Reason = NonNullable<FileDiff['reason']>;

const reasons: Readonly<Record<Reason, string>> = {
  not_kept: 'a program changed it, and the earlier content was not stored',
  appeared_during_command:
    'it appeared while a command ran that did not name it: something else may have created it',
  changed_during_command:
    'it changed while a command ran that did not name it: something else may have changed it',
  over_limit: 'its content does not fit into CAPSTAN_UNDO_MB',
  holds_secret: 'it contains a known secret, so its content was not copied',
  not_stored: 'the earlier content could not be stored',
  changed_between: 'something else changed it during the run',
  changed_since: 'it changed after the run',
  missing: 'it was removed after the run',
  path_taken: 'another file has its path now',
  outcome_unknown: 'the operation was interrupted, and its outcome is unknown',
  symbolic_link: 'it is a symbolic link',
  not_a_file: 'it is not a regular file',
  protected: 'it is a protected path',
  already_undone: 'it already has the content from before the run',
};

/** Why a file can't be undone. */
export const changeReason = (reason: Reason): string => reasons[reason];

/** Why a file has no diff. */
export const noDiffReasons: Readonly<Record<NonNullable<FileDiff['diff_problem']>, string>> = {
  binary: 'not text',
  too_large: 'too large to compare',
  not_kept: 'the earlier content was not stored',
  changed_since: 'it changed after the run, and what it contained then was not stored',
  limit: 'left out: the diff of this run is too long',
};
