import type { Db } from '../../db/open-database.ts';
import { tableOf } from '../../db/sql/table.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { isoTime } from '../../platform/text/iso-time.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { type Cover, covers } from './covers.ts';

/** One line of the audit: an actor, an action and a row. */
export interface AuditEntry {
  /** `coordinator`, `capsule:<id>`, `person:<surface>`, `policy`. */
  readonly actor: string;
  /** `intent.done`, `approval.answered`, `trust.changed`: noun and verb. */
  readonly action: string;
  readonly runId: string | null;
  /** Id of the row that the line is about. */
  readonly ref: string;
  /** `row`, the hash of the row, is added if the line is about one (`covers.ts`) and it is missing. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditRow extends AuditEntry {
  /** 1, 2, 3, …, without a gap. */
  readonly seq: number;
  readonly at: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The previous hash of the first line. */
export const GENESIS = '0'.repeat(64);

/** A stored line: the hash covers the text of `detail`. */
export type StoredAuditRow = Omit<AuditRow, 'detail'> & { detail: string };

/** SHA-256, in hexadecimal, of the previous hash and all fields of the line. */
export const auditHash = (line: Omit<StoredAuditRow, 'hash'>): string => {
  const { prevHash, seq, at, actor, action, runId, ref, detail } = line;
  return sha256(JSON.stringify([prevHash, seq, at, actor, action, runId, ref, detail]));
};

const lines = tableOf('audit', 'seq at actor action run_id ref detail prev_hash hash');
export const SELECT_AUDIT = lines.select;

export type Audit = ReturnType<typeof createAudit>;

/** The chained lines of the database: each contains the hash of the previous line, also if another process wrote that one. */
export function createAudit(db: Db, now: () => Date, redactor: Redactor) {
  const last = db.prepare<[], Pick<StoredAuditRow, 'seq' | 'hash'>>(
    'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1',
  );
  const insert = db.prepare(
    `INSERT INTO audit (${lines.names.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const hashOf = createRowHasher(db);
  let isInOne = false;
  let before: { readonly seq: number; readonly hash: string } | undefined;
  return {
    /** Adds a line. To be called inside the transaction of the change, after the change. */
    append(entry: AuditEntry): void {
      const { action, runId, detail: given } = entry;
      const actor = redactor.redact(entry.actor).toWellFormed();
      const ref = redactor.redact(entry.ref).toWellFormed();
      const { seq: lastSeq, hash: prevHash } = before ?? last.get() ?? { seq: 0, hash: GENESIS };
      const seq = lastSeq + 1;
      const at = isoTime(now());
      const cover = given['row'] === undefined ? coverOf(action) : undefined;
      const row = cover && hashOf(cover, keyOf(cover, entry));
      const detail = redactor.json(cover ? { ...given, row } : given) ?? '{}';
      const line = { prevHash, seq, at, actor, action, runId, ref, detail };
      const hash = auditHash(line);
      insert.run(seq, at, actor, action, runId, ref, detail, prevHash, hash);
      if (isInOne) before = { seq, hash };
    },
    /** Runs the body of one transaction, during which no other process adds a line. */
    inOne<T>(write: () => T): T {
      isInOne = true;
      try {
        return write();
      } finally {
        isInOne = false;
        before = undefined;
      }
    },
  };
}

/** Lines in order, after `afterSeq`; only those of `runId` if it is given. Read row by row. */
export function* readAudit(
  db: Db,
  {
    runId = null,
    afterSeq = 0,
  }: { readonly runId?: string | null; readonly afterSeq?: number } = {},
): Generator<AuditRow> {
  const rows = db
    .prepare<[object], StoredAuditRow>(
      `${SELECT_AUDIT} WHERE seq > @afterSeq AND (@runId IS NULL OR run_id = @runId) ORDER BY seq`,
    )
    .iterate({ runId, afterSeq });
  for (const row of rows) yield { ...row, detail: JSON.parse(row.detail) as AuditRow['detail'] };
}

/** Undefined if lines of this action are not about a row. */
export const coverOf = (action: string): Cover | undefined =>
  covers.find((cover) =>
    cover.action.endsWith('.') ? action.startsWith(cover.action) : action === cover.action,
  );

/**
 * SHA-256, in hexadecimal, of a row's columns in order, separated by NUL; then a bit per column that is set if it is null; then
 * the lengths of all texts if one of them contains a NUL.
 */
export function rowHash(values: readonly unknown[]): string {
  let nulls = 0;
  for (const value of values) nulls = nulls * 2 + Number(value === null || value === undefined);
  const hasNul = values.some((value) => typeof value === 'string' && value.includes(NUL));
  const lengths = hasNul ? values.map(lengthOf).join() : '';
  return sha256(`${values.join(NUL)}${NUL}${nulls}${lengths}`);
}

const NUL = '\u0000';

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : -1);

/** The key of the row that a line is about. */
export const keyOf = (
  { key: [, second] }: Cover,
  { ref, detail }: { readonly ref: string; readonly detail: Readonly<Record<string, unknown>> },
): readonly unknown[] => (second === undefined ? [ref] : [ref, detail[second]]);

/** Reads the current hash of a row; null if there is no such row. */
function createRowHasher(db: Db) {
  const select = ({ table, key, columns }: Cover) =>
    db
      .prepare<unknown[], unknown[]>(
        `SELECT ${columns.join(', ')} FROM ${table} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`,
      )
      .raw();
  const statements = new Map<Cover, ReturnType<typeof select>>();
  return (cover: Cover, key: readonly unknown[]): string | null => {
    const statement = statements.get(cover) ?? select(cover);
    statements.set(cover, statement);
    const values = statement.get(...key);
    return values ? rowHash(values) : null;
  };
}
