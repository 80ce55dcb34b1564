import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileChanges } from '../../../broker/agreed/file-changes.ts';
import { AppError } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import { agreedFilesOf, agreedHashOf } from '../../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import { syncFolder, writePrivateFile } from '../../../platform/files/private-file.ts';
import { REDACTED } from '../../../policy/secrets/redact.ts';
import { overlayVersion } from '../../../registry/capsule-metrics.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import { draftFolder } from '../../../registry/create/draft-folder.ts';
import type { Finding } from '../../../registry/finding.ts';
import type { AppContext } from '../../context/open-context.ts';
import { recordAgreement } from '../capsule-records.ts';
import {
  type CapsuleOptions,
  findCapsule,
  type LoadedCapsules,
  loadCapsules,
  readAgain,
} from '../load-capsules.ts';
import { assertLength, lintDraft, overlayPath } from './lint-draft.ts';

export interface SavedOverlay {
  readonly id: string;
  readonly path: string;
  /** SHA-256 of the text. */
  readonly version: string;
  /** Warnings about the text. */
  readonly findings: readonly Finding[];
}

export interface SaveOverlayOptions extends CapsuleOptions {
  /** SHA-256 of the overlay that the text is an edit of: nothing is saved over another one. Default: not compared. */
  readonly version?: string | undefined;
}

/** Implements `capsules.saveOverlay`. */
export async function saveOverlay(
  context: AppContext,
  id: string,
  text: string,
  options: SaveOverlayOptions = {},
): Promise<SavedOverlay> {
  if (typeof text !== 'string') throw usage('text must be a string.', 'text');
  const loaded = await loadCapsules(context, options);
  const capsule = findCapsule(loaded, id);
  if (capsule.origin === 'project')
    throw usage(`"${id}" is a capsule of the project. Edit ${join(capsule.dir, 'skill.md')}.`);
  const path = overlayPath(loaded, capsule);
  assertNoLink(dirname(path));
  assertStorable(text, path, capsule, context.redactor);
  const findings = await lintText(loaded, { ...capsule, overlay: { path, text } });
  const stores = await context.stores();
  const version = overlayVersion({ path, text });
  // The transaction keeps other processes from saving between the comparison and the write.
  stores.journal.commit(() => {
    const before = readAgain(loaded, capsule);
    const replaced = overlayVersion(before.overlay);
    if (options.version !== undefined && options.version !== replaced)
      throw new AppError('OVERLAY_CHANGED', { capsule: id });
    makeFolder(loaded.personal);
    // The draft is beside the capsules' folders, where nothing reads it.
    writePrivateFile(path, text, draftFolder(loaded.personal));
    for (const folder of [dirname(path), loaded.personal]) syncFolder(folder);
    const { actor } = loaded;
    keepAgreement(stores, before, readAgain(loaded, before), actor);
    const detail = { path, version, before: replaced };
    stores.audit.append({ actor, action: 'capsule.overlay_saved', runId: null, ref: id, detail });
  });
  return { id, path, version, findings };
}

/** The audit names the path, and a link may lead elsewhere. */
function assertNoLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new AppError('PLACE_UNUSABLE', { path, problem: `${path} is a symbolic link` });
}

function assertStorable(
  text: string,
  path: string,
  before: Capsule,
  redactor: AppContext['redactor'],
): void {
  const fail = (problem: string) => new AppError('OVERLAY_INVALID', { path, problem });
  assertLength(text, path);
  if (redactor.holdsSecret(text))
    throw fail('it contains a secret value of yours, which models would see. Remove it.');
  const wasThere = before.overlay?.text.includes(REDACTED) === true;
  if (text.includes(REDACTED) && !wasThere)
    throw fail(`it contains "${REDACTED}", which replaces a secret. Remove it.`);
}

/** The warnings about the text. @throws AppError `OVERLAY_INVALID` for the first error. */
async function lintText(loaded: LoadedCapsules, capsule: Capsule): Promise<readonly Finding[]> {
  const findings = await lintDraft(loaded, capsule);
  const error = findings.find(({ severity }) => severity === 'error');
  if (!error) return findings;
  const problem = `${error.problem}. ${error.fix}`;
  throw new AppError('OVERLAY_INVALID', { path: error.where, problem });
}

/** Saving agrees to the text, whatever it replaces. Other files that changed without agreement are still asked about. */
function keepAgreement(stores: Stores, before: Capsule, after: Capsule, by: string): void {
  const { id, dir, origin } = after;
  const isAgreed =
    origin === 'shipped' ||
    stores.agreed.hashOf(id, dir) === agreedHashOf(before) ||
    differsInOverlay(stores.agreed.filesOf(id, dir), agreedFilesOf(after));
  if (!isAgreed) return;
  recordAgreement(stores, { capsule: after, by, detail: { because: 'overlay saved' } });
}

/** Whether known files differ from the approved ones in the overlay at most. */
const differsInOverlay = (
  known: ReturnType<typeof agreedFilesOf>,
  files: ReturnType<typeof agreedFilesOf>,
): boolean =>
  known !== undefined &&
  files !== undefined &&
  fileChanges(known, files).every(({ path }) => path === 'skill.md');
