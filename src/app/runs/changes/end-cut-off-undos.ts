import { dirname, join } from 'node:path';
import { createUndoRows, type UndoRow } from '../../../broker/changes/undo-rows.ts';
import { AppError } from '../../../contract/errors.ts';
import { isAlive, ownIdentity } from '../../../coordinator/life/process-identity.ts';
import type { Stores } from '../../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../../coordinator/store/run-store.ts';
import { isInside, resolveExisting } from '../../../tools/files/paths.ts';
import { removeLeftBehind } from '../../../tools/files/temporary-file.ts';

interface Context {
  readonly stores: Pick<Stores, 'db' | 'journal' | 'audit' | 'now'>;
  readonly run: RunRecord;
}

/** Ids of undos that this process performs now. */
export const undosUnderWay = new Set<string>();

/**
 * Closes undos of the run whose process died, and removes the temporary files that they left.
 *
 * @throws AppError `USAGE` if the run is being undone now.
 */
export function endCutOffUndos({ stores, run }: Context): void {
  const { db, journal, audit } = stores;
  const undos = createUndoRows(db);
  const now = stores.now();
  for (const undo of undos.openOf(run.id)) {
    const isOwn = undo.owner === ownIdentity();
    if (isOwn ? undosUnderWay.has(undo.id) : isAlive(undo.owner, null, now)) {
      const problem = `Run ${run.id} is being undone. Wait until that has ended.`;
      throw new AppError('USAGE', { problem });
    }
    if (!isOwn) removeTemporaryFiles(undo, run.workspace);
    journal.commit(() => {
      undos.end(undo.id, undo.files, now.toISOString());
      const { action, id: ref, doneBy: actor } = undo;
      const detail = { files: undo.files };
      audit.append({ actor, action: `run.${action}_cut_off`, runId: run.id, ref, detail });
    });
  }
}

function removeTemporaryFiles({ owner, files }: UndoRow, workspace: string): void {
  const pid = Number.parseInt(owner, 10);
  const folders = new Set(files.map(({ path }) => dirname(join(workspace, path))));
  for (const folder of folders) {
    if (isInside(workspace, resolveExisting(folder))) removeLeftBehind(folder, pid);
  }
}
