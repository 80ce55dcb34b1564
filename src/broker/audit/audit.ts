import type { Db } from '../../db/open-database.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { Redactor } from '../../policy/redact.ts';
import { sha256 } from '../canonical-hash.ts';
import { coverOf, createRowHasher, keyOf } from './audit-cover.ts';

/** One line of the audit: who did what to which row. */
export interface AuditEntry {
  /** `coordinator`, `capsule:<id>`, `person:<surface>`, `policy`. */
  readonly actor: string;
  /** `intent.done`, `approval.answered`, `trust.changed`: noun and what became of it. */
  readonly action: string;
  readonly runId: string | null;
  /** Id of the row that the line speaks of. */
  readonly ref: string;
  /** `row` is added where the line vouches for a row (`audit-cover.ts`), unless it is in there. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditRow extends AuditEntry {
  /** 1, 2, 3, …, without a gap. */
  readonly seq: number;
  readonly at: string;
  readonly prevHash: string;
  readonly hash: string;
}

export interface Audit {
  /** Adds a line. To be called inside the transaction of the change that it speaks of, after the change. */
  append(entry: AuditEntry): void;
  /** Runs one whole transaction, inside which no other process adds a line. */
  inOne(write: () => void): void;
}

/** What the first line follows. */
export const GENESIS = '0'.repeat(64);

/** As it lies in the table: the text of `detail` is what is hashed. */
export type StoredAuditRow = Omit<AuditRow, 'detail'> & { detail: string };

/** SHA-256, in hexadecimal, of the line before and of all that this one says. */
export function auditHash({
  prevHash,
  seq,
  at,
  actor,
  action,
  runId,
  ref,
  detail,
}: Omit<StoredAuditRow, 'hash'>): string {
  const text = JSON.stringify([prevHash, seq, at, actor, action, runId, ref, detail]);
  return sha256(text);
}

export const SELECT_AUDIT =
  'SELECT seq, at, actor, action, run_id AS runId, ref, detail, prev_hash AS prevHash, hash FROM audit';

/** The chained lines of the database: each holds the hash of the one before it, whichever process wrote that. */
export function createAudit(db: Db, now: () => Date, redactor: Redactor): Audit {
  const last = db.prepare<[], Pick<StoredAuditRow, 'seq' | 'hash'>>(
    'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1',
  );
  const insert = db.prepare(`
    INSERT INTO audit (seq, at, actor, action, run_id, ref, detail, prev_hash, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const hashOf = createRowHasher(db);
  let isInOne = false;
  let before: { readonly seq: number; readonly hash: string } | undefined;
  return {
    append(entry) {
      const { action, runId } = entry;
      const actor = redactor.redact(entry.actor);
      const ref = redactor.redact(entry.ref);
      const { seq: lastSeq, hash: prevHash } = before ?? last.get() ?? { seq: 0, hash: GENESIS };
      const seq = lastSeq + 1;
      const at = isoTime(now());
      const detail = redactor.json(vouching(entry, hashOf)) ?? '{}';
      const hash = auditHash({ prevHash, seq, at, actor, action, runId, ref, detail });
      insert.run(seq, at, actor, action, runId, ref, detail, prevHash, hash);
      if (isInOne) before = { seq, hash };
    },
    inOne(write) {
      isInOne = true;
      try {
        write();
      } finally {
        isInOne = false;
        before = undefined;
      }
    },
  };
}

function vouching(
  entry: AuditEntry,
  hashOf: ReturnType<typeof createRowHasher>,
): AuditEntry['detail'] {
  const { action, detail } = entry;
  if (detail['row'] !== undefined) return detail;
  const cover = coverOf(action);
  return cover ? { ...detail, row: hashOf(cover, keyOf(cover, entry)) } : detail;
}

/** Lines in their order, from `afterSeq` on; of one run where it is named. Read row by row. */
export function* readAudit(
  db: Db,
  {
    runId = null,
    afterSeq = 0,
  }: { readonly runId?: string | null; readonly afterSeq?: number } = {},
): Generator<AuditRow> {
  const rows = db
    .prepare<[{ runId: string | null; afterSeq: number }], StoredAuditRow>(
      `${SELECT_AUDIT} WHERE seq > @afterSeq AND (@runId IS NULL OR run_id = @runId) ORDER BY seq`,
    )
    .iterate({ runId, afterSeq });
  for (const row of rows) yield { ...row, detail: JSON.parse(row.detail) as AuditRow['detail'] };
}
