import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agree } from '../../broker/questions/agree.ts';
import { agreedFilesOf, agreedHashOf } from '../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { createLearntStore } from '../../registry/search/index/learnt-store.ts';
import type { AppContext } from '../context/open-context.ts';

/** The user's database, or undefined if there is none yet: reading creates none. */
export const storesIfAny = async (context: AppContext): Promise<Stores | undefined> =>
  existsSync(join(context.places.stateDir, 'capstan.db')) ? context.stores() : undefined;

/** Records a new capsule: the user agreed to these files, and it gets nothing that an earlier one of its id earned. */
export function recordNewCapsule(
  stores: Stores,
  capsule: Capsule,
  { by: actor, action, detail }: Omit<Agreement, 'capsule'> & { readonly action: string },
): void {
  const { id: ref, dir, hash } = capsule;
  stores.journal.commit(() => {
    forgetCapsule(stores, capsule, actor);
    recordAgreement(stores, { capsule, by: actor });
    stores.audit.append({ actor, action, runId: null, ref, detail: { dir, hash, ...detail } });
  });
}

interface Agreement {
  readonly capsule: Capsule;
  readonly by: string;
  /** Further facts for the audit. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Records that the user agreed to the files of a capsule. Inside a transaction. */
export function recordAgreement(
  stores: Pick<Stores, 'agreed' | 'audit'>,
  { capsule, by, detail }: Agreement,
): void {
  const { id: capsuleId, dir } = capsule;
  const files = agreedFilesOf(capsule);
  agree(stores, { capsuleId, dir, hash: agreedHashOf(capsule), by, files }, null, detail);
}

/** Whether the user agreed to the files of a capsule as they are. */
export function isAgreed({ agreed }: Pick<Stores, 'agreed'>, capsule: Capsule): boolean {
  const { id, dir } = capsule;
  return agreed.hashOf(id, dir) === agreedHashOf(capsule);
}

/** Removes the trust, metrics and routing examples of a capsule, since another one may get its id. Inside a transaction. */
export function forgetCapsule(
  { db, trust, metrics, quarantine, now, redactor }: Stores,
  capsule: Pick<Capsule, 'id' | 'origin' | 'dir'>,
  actor: string,
): void {
  trust.reset(capsule.id, { actor });
  metrics.forget(capsule);
  quarantine.forget(capsule);
  createLearntStore(db, now, redactor).forget(capsule);
}
