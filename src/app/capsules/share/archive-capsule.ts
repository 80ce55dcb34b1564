import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import { folderEntries } from '../../../platform/files/folder-entries.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../context/open-context.ts';
import { forgetCapsule, storesIfAny } from '../capsule-records.ts';
import {
  type CapsuleOptions,
  findCapsule,
  type LoadedCapsules,
  loadCapsules,
  ownFolder,
} from '../load-capsules.ts';

/** Implements `capsules.assertArchivable`. */
export async function assertArchivable(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<void> {
  folderOf(await loadCapsules(context, options), id);
}

/** Implements `capsules.archive`. */
export async function archiveCapsule(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<{ readonly id: string; readonly kept: string }> {
  const loaded = await loadCapsules(context, options);
  const { archive, actor } = loaded;
  const dir = folderOf(loaded, id);
  const stores = await storesIfAny(context);
  makeFolder(archive);
  const kept = join(archive, archivedName(id, context.now()));
  renameSync(dir, kept);
  stores?.journal.commit(() => {
    forgetCapsule(stores, { id, origin: 'personal', dir }, actor);
    const detail = { dir, kept };
    stores.audit.append({ actor, action: 'capsule.deleted', runId: null, ref: id, detail });
  });
  return { id, kept };
}

function folderOf(loaded: LoadedCapsules, id: string): string {
  const folder = ownFolder(loaded.personal, id);
  if (folder !== undefined) return folder;
  const { origin, dir } = findCapsule(loaded, id);
  throw usage(`"${id}" is a ${origin} capsule (${dir}). Only your own can be deleted.`);
}

export type RestoredCapsule =
  | { readonly id: string; readonly from: 'archive'; readonly dir: string }
  | { readonly id: string; readonly from: 'quarantine' }
  /** It was neither archived nor quarantined. */
  | { readonly id: string; readonly from: null };

/** Implements `capsules.restore`. */
export async function restoreCapsule(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<RestoredCapsule> {
  const loaded = await loadCapsules(context, options);
  const exists =
    loaded.capsules.some((one) => one.id === id) ||
    existsSync(join(loaded.personal, id, 'manifest.json'));
  const kept = exists ? undefined : newestArchived(loaded.archive, id);
  return kept === undefined
    ? fromQuarantine(loaded, findCapsule(loaded, id))
    : fromArchive(loaded, id, kept);
}

async function fromQuarantine(
  { context, actor }: LoadedCapsules,
  capsule: Capsule,
): Promise<RestoredCapsule> {
  const { journal, quarantine } = await context.stores();
  const because = 'a person took it back';
  const wasHeld = journal.commit(() => quarantine.lift(capsule, { because, actor }));
  return { id: capsule.id, from: wasHeld ? 'quarantine' : null };
}

/** Restores it with its memory and logs. If its files changed since, the next run asks about it. */
async function fromArchive(
  { context, personal, actor }: LoadedCapsules,
  id: string,
  kept: string,
): Promise<RestoredCapsule> {
  const dir = join(personal, id);
  if (existsSync(dir))
    throw usage(
      `${dir} already exists and contains records of another capsule. Move it away first.`,
    );
  const { journal, audit } = await context.stores();
  makeFolder(personal);
  renameSync(kept, dir);
  journal.commit(() => {
    const detail = { dir, from: kept };
    audit.append({ actor, action: 'capsule.restored', runId: null, ref: id, detail });
  });
  return { id, from: 'archive', dir };
}

export interface QuarantineOptions extends CapsuleOptions {
  /** Shown wherever the capsule is listed. Default: `quarantined by hand`. */
  readonly reason?: string | undefined;
}

/** Excludes a capsule from routing until it is restored. */
export async function quarantineCapsule(
  context: AppContext,
  id: string,
  options: QuarantineOptions = {},
): Promise<{ readonly id: string; readonly reason: string }> {
  const loaded = await loadCapsules(context, options);
  const capsule = findCapsule(loaded, id);
  const given = options.reason?.trim() || 'quarantined by hand';
  const reason = printable(context.redactor.redact(given), MAX_REASON_CHARS);
  const { journal, quarantine } = await context.stores();
  journal.commit(() => quarantine.hold(capsule, { reason, actor: loaded.actor }));
  return { id, reason };
}

const MAX_REASON_CHARS = 500;

/** The name of the folder that keeps an archived capsule: its id, and when it was archived. */
const archivedName = (id: string, at: Date): string =>
  `${id}-${at.toISOString().replace(/[:.]/g, '-')}`;

/** The folder of the capsule with this id that was archived last; undefined if there is none. */
function newestArchived(archive: string, id: string): string | undefined {
  const newest = folderEntries(archive)
    .filter((entry) => entry.isDirectory() && idOf(entry.name) === id)
    .map(({ name }) => name)
    .sort()
    .at(-1);
  return newest === undefined ? undefined : join(archive, newest);
}

const idOf = (name: string): string | undefined =>
  /^(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.exec(name)?.[1];
