import { createDeadlineClock } from '../../db/deadline-clock.ts';
import type { Db } from '../../db/open-database.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';

/** An answer of a person that also applies to later questions of the same kind. */
export interface RememberedAnswer {
  readonly id: string;
  readonly answer: 'approve' | 'deny';
  /** Null: for every run of the capsule. */
  readonly runId: string | null;
  readonly capsuleId: string;
  /** A changed capsule is asked about again. */
  readonly capsuleHash: string;
  readonly workspace: string;
  readonly operation: string;
  /** See `policy/answer-pattern.ts`. */
  readonly pattern: string;
  /** Null: unlimited. */
  readonly maxUses: number | null;
  readonly uses: number;
  /** Null: never. */
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly revokedAt: string | null;
}

/** A remembered consent to spend is for any capsule of the workspace, and one provider or service. */
export const spendKey = (payee: string) => ({
  capsuleId: '*',
  capsuleHash: '',
  operation: 'spend',
  pattern: `payee:${payee}`,
});

export interface RememberedAnswers {
  add(answer: Omit<RememberedAnswer, 'id' | 'uses' | 'createdAt' | 'revokedAt'>): RememberedAnswer;
  /** Those that apply to an operation, denials first, then oldest first. */
  inForce(about: {
    readonly runId: string;
    readonly capsuleId: string;
    readonly capsuleHash: string;
    readonly workspace: string;
    readonly operation: string;
  }): readonly RememberedAnswer[];
  /** Counts one use; false if none is left. To be called in the transaction of the allowed operation. */
  use(id: string): boolean;
  /** Newest first, including expired and revoked ones. */
  list(): readonly RememberedAnswer[];
  /** False if no active answer has this id. */
  revoke(id: string): boolean;
}

const SELECT = `SELECT id, answer, run_id AS runId, capsule_id AS capsuleId, capsule_hash AS capsuleHash, workspace,
  operation, pattern, most_uses AS maxUses, uses, expires_at AS expiresAt, created_at AS createdAt,
  created_by AS createdBy, revoked_at AS revokedAt FROM remembered_answers`;

const IN_FORCE = `revoked_at IS NULL AND (most_uses IS NULL OR uses < most_uses)
  AND (expires_at IS NULL OR expires_at > @at)`;

/** Plain statements, to be called inside the journal's transactions. */
export function createRememberedAnswers(
  db: Db,
  now: () => Date,
  redactor: Redactor,
): RememberedAnswers {
  const insert = db.prepare(`
    INSERT INTO remembered_answers (id, answer, run_id, capsule_id, capsule_hash, workspace, operation, pattern,
      most_uses, expires_at, created_at, created_by)
    VALUES (@id, @answer, @runId, @capsuleId, @capsuleHash, @workspace, @operation, @pattern, @maxUses, @expiresAt,
      @createdAt, @createdBy)`);
  const inForce = db.prepare<[Record<string, string>], RememberedAnswer>(`
    ${SELECT} WHERE capsule_id = @capsuleId AND capsule_hash = @capsuleHash AND workspace = @workspace
      AND operation = @operation AND (run_id IS NULL OR run_id = @runId) AND ${IN_FORCE}
    ORDER BY answer = 'deny' DESC, id`);
  const use = db.prepare(
    `UPDATE remembered_answers SET uses = uses + 1 WHERE id = @id AND ${IN_FORCE}`,
  );
  const list = db.prepare<[], RememberedAnswer>(`${SELECT} ORDER BY id DESC`);
  const revoke = db.prepare(
    'UPDATE remembered_answers SET revoked_at = @at WHERE id = @id AND revoked_at IS NULL',
  );
  const clock = createDeadlineClock(db, now);
  const at = () => clock.now().toISOString();
  return {
    add(answer) {
      const row = {
        id: uuidv7(),
        ...redactor.redact(answer),
        uses: 0,
        createdAt: now().toISOString(),
        revokedAt: null,
      };
      insert.run(row);
      if (row.expiresAt !== null) clock.keep();
      return row;
    },
    inForce: (about) => inForce.all({ ...about, at: at() }),
    use: (id) => use.run({ id, at: at() }).changes === 1,
    list: () => list.all(),
    revoke: (id) => revoke.run({ id, at: at() }).changes === 1,
  };
}
