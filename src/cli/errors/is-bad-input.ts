import { failedWith } from '../../contract/errors.ts';

const codes = [
  'SETTINGS_INVALID',
  'SETTINGS_NOT_WRITTEN',
  'USAGE',
  'RUN_UNKNOWN',
  'RUN_ACTIVE',
  'SESSION_UNKNOWN',
  'SESSION_PARKED',
  'NO_SESSION',
  'NO_RUN_PARKED',
  'SEVERAL_RUNS_PARKED',
  'APPROVAL_UNKNOWN',
  'APPROVAL_CHOICE',
  'CAPSULE_UNKNOWN',
  'CAPSULE_QUARANTINED',
  'ARCHIVE_INVALID',
  'CAPSULE_FOLDER_INVALID',
  'OVERLAY_UNKNOWN',
  'PLACE_UNUSABLE',
  'DATABASE_NEWER',
  'DATABASE_UNREADABLE',
] as const;

/** Whether an error is about arguments or settings: exit code 2. */
export const isBadInput = (error: unknown): boolean =>
  codes.some((code) => failedWith(error, code));
