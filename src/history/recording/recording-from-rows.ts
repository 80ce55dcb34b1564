import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../../config/files/install-folder.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { type RunRecord, StoredRequest } from '../../coordinator/store/runs/run-record.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { isShimAlone } from '../../registry/manifest/shipped-code.ts';
import {
  RECORDING_VERSION,
  type RecordedAttempt,
  type RecordedCapsule,
  type Recording,
} from './recording.ts';

/**
 * Makes the recording of a run from its rows.
 *
 * @param installed The installed capsules: the recording contains the manifest of those that don't ship with Capstan.
 */
export function recordingFromRows(
  { subtasks, journal, files }: Pick<Stores, 'subtasks' | 'journal' | 'files'>,
  { owner: _owner, leaseUntil: _leaseUntil, request, ...run }: RunRecord,
  installed: ReadonlyMap<string, Capsule>,
): Recording {
  const rows = subtasks.of(run.id);
  const attempts = rows.flatMap(({ id: subtaskId }) =>
    subtasks.attemptsOf(run.id, subtaskId).map(({ runId: _, ...attempt }): RecordedAttempt => {
      const record = journal.recordOf(attempt.id).map(({ id }) => id);
      return { ...attempt, subtaskId, record };
    }),
  );
  const hashes = new Map(attempts.map(({ capsuleId, capsuleHash }) => [capsuleId, capsuleHash]));
  return {
    format: 'capstan-recording',
    version: RECORDING_VERSION,
    capstan: packageVersion(),
    run: { ...run, wish: StoredRequest.parse(request) },
    subtasks: rows.map(
      ({ attempts: _attempts, startedAt: _startedAt, endedAt: _endedAt, ...row }) => ({
        ...row,
        route: row.route ?? null,
        result: row.result ?? null,
      }),
    ),
    attempts,
    intents: journal.intentsOf(run.id).map((intent) => ({
      ...intent,
      outcome: intent.outcome ?? null,
      facts: intent.facts ?? null,
      effects: intent.effects ?? null,
    })),
    files: files.writtenBy(run.id).map((file) => ({ ...file })),
    capsules: [...hashes].map(([id, hash]) => capsuleOf(id, hash, installed.get(id))),
  };
}

function capsuleOf(id: string, hash: string, capsule: Capsule | undefined): RecordedCapsule {
  if (!capsule) {
    return { id, hash, origin: null, program: 'own', manifest: null, overlay: null };
  }
  const { origin, dir, overlay } = capsule;
  return {
    id,
    hash,
    origin,
    program: isShimAlone(capsule) ? 'shim' : 'own',
    manifest: origin === 'shipped' ? null : readFileSync(join(dir, 'manifest.json'), 'utf8'),
    overlay: overlay?.text ?? null,
  };
}
