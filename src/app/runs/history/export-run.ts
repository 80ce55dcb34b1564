import { AppError } from '../../../contract/errors.ts';
import { writeRecording } from '../../../history/recording/recording-file.ts';
import type { AppContext } from '../../app-context.ts';
import { findRecording } from './find-recording.ts';

/** A run as the text of a recording file, known secrets redacted. */
export interface RunExport {
  readonly runId: string;
  readonly text: string;
  /** Number of attempts in it. */
  readonly attempts: number;
  /** Number of requests in it, with their answers. */
  readonly requests: number;
}

/** @throws AppError `USAGE` if the run has not ended or parked; what `findRecording` throws; `SETTINGS_INVALID`. */
export async function exportRun(context: AppContext, source: string): Promise<RunExport> {
  const { recording } = await findRecording(context, source);
  const { id, status } = recording.run;
  if (status === 'running' || status === 'pending') {
    throw new AppError('USAGE', { problem: `Run ${id} is still running.` });
  }
  // With unreadable settings not all secrets are known.
  await context.settings();
  return {
    runId: id,
    text: writeRecording(recording, context.redactor),
    attempts: recording.attempts.length,
    requests: recording.intents.length,
  };
}
