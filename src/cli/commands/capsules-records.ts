import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { redactorOfNames } from '../../app/wiring/known-secrets.ts';
import type { Audit } from '../../broker/audit/audit.ts';
import type { AgreedCapsules } from '../../broker/questions/agreed-capsules.ts';
import type { TrustStore } from '../../broker/questions/trust-store.ts';
import { processEnvironment } from '../../config/environment.ts';
import type { CapsuleFigures, CapsuleMetrics } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Quarantine, Quarantined } from '../../registry/quarantine.ts';
import type { LearntStore } from '../../registry/search/learnt-store.ts';
import { formatCost, formatDuration } from '../format.ts';

/** Who acts here, for the audit. */
export const PERSON = 'person:cli';

/** What the database knows of capsules. */
export interface CapsuleRecords {
  readonly agreed: AgreedCapsules;
  readonly audit: Audit;
  readonly trust: TrustStore;
  readonly metrics: CapsuleMetrics;
  readonly quarantine: Quarantine;
  readonly learnt: LearntStore;
  /** One transaction. */
  write<T>(body: () => T): T;
}

/** Opens the database for as long as `body` takes. */
export async function withRecords<T>(
  stateDir: string,
  body: (records: CapsuleRecords) => T | Promise<T>,
): Promise<T> {
  const { openDatabase } = await import('../../db/open-database.ts');
  const { createAgreedCapsules } = await import('../../broker/questions/agreed-capsules.ts');
  const { createAudit } = await import('../../broker/audit/audit.ts');
  const { createTrustStore } = await import('../../broker/questions/trust-store.ts');
  const { createCapsuleMetrics } = await import('../../registry/capsule-metrics.ts');
  const { createLearntStore } = await import('../../registry/search/learnt-store.ts');
  const { createQuarantine } = await import('../../registry/quarantine.ts');
  const db = openDatabase(join(stateDir, 'capstan.db'));
  const now = () => new Date();
  const redactor = redactorOfNames(processEnvironment());
  const audit = createAudit(db, now, redactor);
  try {
    return await body({
      agreed: createAgreedCapsules(db),
      audit,
      trust: createTrustStore(db, audit),
      metrics: createCapsuleMetrics(db),
      quarantine: createQuarantine(db, audit, now, redactor),
      learnt: createLearntStore(db, now, redactor),
      write: (write) => db.transaction(write).immediate(),
    });
  } finally {
    db.close();
  }
}

/** The same to read only: what never ran has no database, and gets none by being looked at. */
export const withRecordsIfAny = async <T>(
  stateDir: string,
  body: (records: CapsuleRecords | undefined) => T,
): Promise<T> =>
  existsSync(join(stateDir, 'capstan.db')) ? withRecords(stateDir, body) : body(undefined);

/**
 * A capsule that is new here: what a person agreed to is these files, and nothing that an earlier one of its id earned is
 * its own. Inside a transaction.
 */
export function beginAnew(
  records: CapsuleRecords,
  capsule: Pick<Capsule, 'id' | 'origin' | 'dir' | 'hash'>,
): void {
  const { id: capsuleId, dir, hash } = capsule;
  forgetCapsule(records, capsule);
  records.agreed.agree({ capsuleId, dir, hash, by: PERSON });
  const line = { actor: PERSON, action: 'capsule.agreed', runId: null, ref: capsuleId };
  records.audit.append({ ...line, detail: { dir, hash, by: PERSON } });
}

/** What a capsule earned and what was learnt of it is gone: another one may get its id. Inside a transaction. */
export function forgetCapsule(
  { trust, metrics, quarantine, learnt }: CapsuleRecords,
  capsule: Pick<Capsule, 'id' | 'origin' | 'dir'>,
): void {
  trust.reset(capsule.id, { actor: PERSON });
  metrics.forget(capsule);
  quarantine.forget(capsule);
  learnt.forget(capsule);
}

/** Figures for JSON; null where a capsule was never used. */
export const figuresDocument = (figures: CapsuleFigures | undefined) =>
  figures
    ? {
        uses: figures.uses,
        completed: figures.completed,
        success_rate: figures.completed / figures.uses,
        p50_ms: figures.p50Ms,
        p95_ms: figures.p95Ms,
        cost_usd: figures.costMicroUsd / 1e6,
        first_used_at: figures.firstUsedAt,
        last_used_at: figures.lastUsedAt,
      }
    : null;

export const figureColumns = ['uses', 'success', 'p50', 'p95', 'cost'] as const;

/** Cells for `figureColumns`. */
export function figureCells(figures: CapsuleFigures | undefined): string[] {
  if (!figures) return ['0', '-', '-', '-', '-'];
  const { uses, completed, p50Ms, p95Ms, costMicroUsd } = figures;
  return [
    String(uses),
    `${Math.floor((completed / uses) * 100)} %`,
    formatDuration(p50Ms),
    formatDuration(p95Ms),
    formatCost(costMicroUsd / 1e6),
  ];
}

/** A quarantine for JSON. */
export const quarantineDocument = (held: Quarantined | undefined) =>
  held ? { reason: held.reason, by: held.heldBy, since: held.heldAt } : null;
