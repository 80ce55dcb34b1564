import { isAbsolute, join, relative } from 'node:path';
import { hashFile } from '../../broker/intent/file-ledger.ts';
import type { FileEffect } from '../../broker/intent/record.ts';
import { hadEffect } from '../../broker/intent/record.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';

/** An intent of a run, and what the run had done up to it. */
export interface ForkPoint {
  readonly intent: IntentRecord;
  /** 1, 2, 3, … as `runs show` counts them. */
  readonly number: number;
  /** The intents up to there, this one included. */
  readonly history: readonly IntentRecord[];
}

/**
 * The intent of that number, of that id, or the only one whose id begins like this.
 *
 * @throws AppError `USAGE`.
 */
export function findForkPoint(intents: readonly IntentRecord[], named: string): ForkPoint {
  const byNumber = /^\d{1,6}$/.test(named) ? intents[Number(named) - 1] : undefined;
  const alike = intents.filter(({ id }) => named.length >= 4 && id.startsWith(named));
  const intent = byNumber ?? (alike.length === 1 ? alike[0] : undefined);
  if (!intent) {
    const why = alike.length > 1 ? `names ${alike.length} requests` : 'names no request of the run';
    const problem = `--at "${named}" ${why}. Say its id, or its number: 1 to ${intents.length}.`;
    throw new AppError('USAGE', { problem });
  }
  const at = intents.indexOf(intent);
  return { intent, number: at + 1, history: intents.slice(0, at + 1) };
}

/** A file as the history of a fork says that it stands. */
export interface ExpectedFile {
  /** Absolute, in the workspace of the fork. */
  readonly path: string;
  /** SHA-256 of its content, or `absent`; null where the journal can't tell. */
  readonly sha256: string | null;
  readonly subtaskId: string;
}

/** What a history did, as far as it can be looked for. */
export interface ExpectedEffects {
  readonly files: readonly ExpectedFile[];
  /** Done, and nothing that a file shows. */
  readonly others: readonly IntentRecord[];
}

/** The effects that a folder should show for a history that began in another one. */
export function expectedEffects(
  { history }: ForkPoint,
  { workspace: from }: Pick<RunRecord, 'workspace'>,
  workspace: string,
): ExpectedEffects {
  const files = new Map<string, ExpectedFile>();
  const others: IntentRecord[] = [];
  for (const intent of history.filter(hadEffect)) {
    const effects = (intent.effects ?? []) as readonly FileEffect[];
    if (effects.length === 0) others.push(intent);
    for (const { path: then, after: sha256 } of effects) {
      const path = moved(then, from, workspace);
      files.set(path, { path, sha256, subtaskId: intent.subtaskId });
    }
  }
  return { files: [...files.values()], others };
}

/** A path of one workspace in another one; what lies outside stays where it is. */
export function moved(path: string, from: string, to: string): string {
  const inside = relative(from, path);
  return inside === '..' || inside.startsWith('../') || isAbsolute(inside)
    ? path
    : join(to, inside);
}

export interface FoundFile extends ExpectedFile {
  /** SHA-256, or `absent`. */
  readonly found: string;
}

/** Looks at the files that can be looked at. */
export async function lookAt(files: readonly ExpectedFile[]): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of files) found.push({ ...file, found: (await hashFile(file.path)) ?? 'absent' });
  return found;
}

export const isAsExpected = ({ sha256, found }: FoundFile): boolean =>
  sha256 === null || sha256 === found;
