import { resolve } from 'node:path';
import type { FileLedger } from '../../broker/intent/file-ledger.ts';
import { hadEffect } from '../../broker/intent/record.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { stateAt } from '../../tools/files/path-state.ts';
import { resolveExisting } from '../../tools/files/paths.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

/**
 * The record that an attempt replays from an earlier one, without reads of files that changed since or were not read
 * completely, unless an effect followed them. Otherwise it would work on outdated content, and its correct edits would fail.
 */
export async function withoutStaleReads(
  records: readonly IntentRecord[],
  { id, workspace }: Pick<RunRecord, 'id' | 'workspace'>,
  files: Pick<FileLedger, 'knownTo'>,
): Promise<readonly IntentRecord[]> {
  const lastEffect = records.findLastIndex(hadEffect);
  const stale = new Set<IntentRecord>();
  for (const record of records.slice(lastEffect + 1)) {
    if (record.name !== 'file_io.read' || record.status !== 'done') continue;
    const path = resolveExisting(resolve(workspace, record.target));
    const known = files.knownTo(id, path);
    const isSame = known !== undefined && (await stateAt(path).catch(() => undefined)) === known;
    if (!isSame) stale.add(record);
  }
  return records.filter((record) => !stale.has(record));
}
