import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createAudit } from '../../../broker/audit/audit.ts';
import { createFileLedger } from '../../../broker/intent/file-ledger.ts';
import { createJournal } from '../../../broker/intent/journal.ts';
import { readTextFile } from '../../../config/yaml/text-file.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { findRunToRead } from '../../../coordinator/store/runs/find-run.ts';
import { createRunStore } from '../../../coordinator/store/runs/run-store.ts';
import { createSubtaskStore } from '../../../coordinator/store/subtasks/subtask-store.ts';
import { openForReading } from '../../../db/open-database.ts';
import type { Recording } from '../../../history/recording/recording.ts';
import {
  MAX_RECORDING_BYTES,
  readRecording,
  writeRecording,
} from '../../../history/recording/recording-file.ts';
import { recordingFromRows } from '../../../history/recording/recording-from-rows.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { readCapsules } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../context/open-context.ts';
import { capsuleRoots, ownCapsuleRoots } from '../../wiring/registry/capsule-roots.ts';
import { assertNotRunning, currentWorkspace } from '../find-run.ts';

/** Reads a recording from the file with this name, or makes it from the rows of the run with this id. Writes nothing. */
export async function findRecording(context: AppContext, source: string) {
  const path = resolve(context.cwd, source);
  const isFile = isFileName(source) || statSync(path, { throwIfNoEntry: false })?.isFile();
  if (!isFile) return recordingOfRun(context, source);
  return { recording: recordingIn(path), installed: await installedCapsules(context) };
}

const isFileName = (source: string): boolean => /[/\\]|\.json$/.test(source);

function recordingIn(path: string): Recording {
  const file = readTextFile(path, MAX_RECORDING_BYTES) ?? { problem: 'there is no such file' };
  if ('text' in file) return readRecording(file.text, path);
  // The fix after it is for files that a person writes.
  const [problem = ''] = file.problem.split(/\.(?: |$)/, 1);
  throw new AppError('RECORDING_INVALID', { path, problem });
}

async function recordingOfRun(context: AppContext, id: string) {
  const path = join(context.places.stateDir, 'capstan.db');
  if (!existsSync(path)) throw new AppError('RUN_UNKNOWN', { id });
  const rows = readRows(path);
  try {
    const run = await findRunToRead(rows.runs, id, currentWorkspace(context));
    const installed = await installedCapsules(context, run.workspace);
    return { recording: recordingFromRows(rows, run, installed), installed };
  } finally {
    rows.close();
  }
}

/** The shipped capsules, those of the user, and the trusted ones of the run's project. Without a project no settings are read. */
async function installedCapsules(context: AppContext, workspace?: string) {
  const hasProject = workspace !== undefined && existsSync(join(workspace, 'agents'));
  const roots = hasProject
    ? capsuleRoots(await context.settings({ workspace }))
    : ownCapsuleRoots(context.places);
  return new Map(readCapsules(roots).capsules.map((capsule) => [capsule.id, capsule]));
}

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
  assertNotRunning(recording.run);
  // With unreadable settings not all secrets are known.
  await context.settings();
  return {
    runId: recording.run.id,
    text: writeRecording(recording, context.redactor),
    attempts: recording.attempts.length,
    requests: recording.intents.length,
  };
}

type Rows = Pick<Stores, 'runs' | 'subtasks' | 'journal' | 'files' | 'close'>;

/** Opens a database to read its runs. Writes nothing, and recovers no run whose process died. */
function readRows(path: string): Rows {
  const db = openForReading(path);
  const now = () => new Date();
  return {
    runs: createRunStore(db, noSecrets),
    subtasks: createSubtaskStore(db, now, noSecrets),
    journal: createJournal(db, createAudit(db, now, noSecrets), noSecrets),
    files: createFileLedger(db),
    close: () => db.close(),
  };
}
