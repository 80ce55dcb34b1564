import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installFolder } from '../config/install-folder.ts';
import { loadSettings } from '../config/load-settings.ts';
import { findPlaces } from '../config/places.ts';
import { isFolderTrusted } from '../config/project-files.ts';
import { AppError } from '../contract/errors.ts';
import type { RunRecord } from '../coordinator/run-store.ts';
import type { Recording } from '../history/replay/recording.ts';
import type { Capsule, CapsuleRoots } from '../registry/capsule-store.ts';
import type { CommandIo } from './command.ts';

/** A recording, and the capsules of this machine. */
export interface RecordingSource {
  readonly recording: Recording;
  readonly installed: ReadonlyMap<string, Capsule>;
}

/**
 * Reads a recording from the file of that name, else from the rows of the run of that id. Nothing is written.
 *
 * @throws AppError `RECORDING_INVALID`, `RUN_UNKNOWN`, `DATABASE_NEWER`, `DATABASE_UNREADABLE`.
 */
export async function readRecordingSource(named: string, io: CommandIo): Promise<RecordingSource> {
  const path = resolve(io.cwd, named);
  if (isFileName(named) || statSync(path, { throwIfNoEntry: false })?.isFile()) {
    const recording = await recordingIn(path);
    return { recording, installed: await installedCapsules(io) };
  }
  return recordingOfRun(named, io);
}

const isFileName = (named: string): boolean => /[/\\]|\.json$/.test(named);

async function recordingIn(path: string): Promise<Recording> {
  const { MAX_RECORDING_BYTES, readRecording } = await import(
    '../history/replay/recording-file.ts'
  );
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  const fail = (problem: string) => new AppError('RECORDING_INVALID', { path, problem });
  if (bytes === undefined) throw fail('there is no such file');
  if (bytes > MAX_RECORDING_BYTES)
    throw fail(`it has ${bytes} bytes; ${MAX_RECORDING_BYTES} are allowed`);
  return readRecording(readFileSync(path, 'utf8'), path);
}

async function recordingOfRun(id: string, io: CommandIo): Promise<RecordingSource> {
  const path = join(findPlaces(io.environment, io.cwd).stateDir, 'capstan.db');
  if (!existsSync(path)) throw new AppError('RUN_UNKNOWN', { id });
  const { readRows } = await import('../coordinator/read-rows.ts');
  const { findRun } = await import('../coordinator/find-run.ts');
  const { recordingFromRows } = await import('../history/replay/recording-from-rows.ts');
  const rows = readRows(path);
  try {
    const run = findRun(rows.runs, id);
    const installed = await installedCapsules(io, run);
    return { recording: recordingFromRows(rows, run, installed), installed };
  } finally {
    rows.close();
  }
}

/** The capsules that ship, those of the person, and those of the run's project that the person trusts. */
async function installedCapsules(
  io: CommandIo,
  run?: Pick<RunRecord, 'workspace'>,
): Promise<ReadonlyMap<string, Capsule>> {
  const { readCapsules } = await import('../registry/capsule-store.ts');
  const { capsules } = readCapsules({
    shipped: join(installFolder(), 'agents'),
    personal: join(findPlaces(io.environment, io.cwd).dataDir, 'agents'),
    project: run && (await projectRoot(run.workspace, io)),
  });
  return new Map(capsules.map((capsule) => [capsule.id, capsule]));
}

async function projectRoot(
  workspace: string,
  { environment, cwd }: CommandIo,
): Promise<CapsuleRoots['project']> {
  if (!existsSync(join(workspace, 'agents'))) return undefined;
  const { project } = await loadSettings({
    flags: { workspace },
    environment,
    cwd,
    installFolder: installFolder(),
  });
  return {
    dir: join(project.folder, 'agents'),
    isTrusted: (id) => isFolderTrusted(project, `agents/${id}`),
  };
}
