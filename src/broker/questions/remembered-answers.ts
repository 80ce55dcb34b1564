import { createDeadlineClock } from '../../db/deadline-clock.ts';
import type { Db } from '../../db/open-database.ts';
import { tableOf } from '../../db/sql/table.ts';
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
  /** See `policy/rules/answer-pattern.ts`. */
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

/** What the id of a remembered answer follows in `answeredBy` of the questions that it answered. */
export const REMEMBERED = 'remembered:';

/** A remembered consent to spend is for any capsule of the workspace, and one provider or service. */
export const spendKey = (payee: string) => ({
  capsuleId: '*',
  capsuleHash: '',
  operation: 'spend',
  pattern: `payee:${payee}`,
});

const answers = tableOf(
  'remembered_answers',
  `id answer run_id capsule_id capsule_hash workspace operation pattern most_uses:maxUses uses expires_at created_at created_by
  revoked_at`,
);

const IN_FORCE = `revoked_at IS NULL AND (most_uses IS NULL OR uses < most_uses)
  AND (expires_at IS NULL OR expires_at > @at)`;

export type RememberedAnswers = ReturnType<typeof createRememberedAnswers>;

/** Plain statements, to be called inside the journal's transactions. */
export function createRememberedAnswers(db: Db, now: () => Date, redactor: Redactor) {
  const insert = db.prepare<[RememberedAnswer]>(answers.insert);
  const inForce = db.prepare<[Record<string, string>], RememberedAnswer>(`
    ${answers.select} WHERE capsule_id = @capsuleId AND capsule_hash = @capsuleHash AND workspace = @workspace
      AND operation = @operation AND (run_id IS NULL OR run_id = @runId) AND ${IN_FORCE}
    ORDER BY answer = 'deny' DESC, id`);
  const use = db.prepare(
    `UPDATE remembered_answers SET uses = uses + 1 WHERE id = @id AND ${IN_FORCE}`,
  );
  const list = db.prepare<[], RememberedAnswer>(`${answers.select} ORDER BY id DESC`);
  const revoke = db.prepare(
    'UPDATE remembered_answers SET revoked_at = @at WHERE id = @id AND revoked_at IS NULL',
  );
  const clock = createDeadlineClock(db, now);
  const at = () => clock.now().toISOString();
  return {
    add(answer: Omit<RememberedAnswer, 'id' | 'uses' | 'createdAt' | 'revokedAt'>) {
      const about = { id: uuidv7(), uses: 0, createdAt: now().toISOString(), revokedAt: null };
      const row: RememberedAnswer = { ...about, ...redactor.redact(answer) };
      insert.run(row);
      if (row.expiresAt !== null) clock.keep();
      return row;
    },
    /** Those that apply to an operation, denials first, then oldest first. */
    inForce: (
      about: Pick<RememberedAnswer, 'capsuleId' | 'capsuleHash' | 'workspace' | 'operation'> & {
        readonly runId: string;
      },
    ): readonly RememberedAnswer[] => inForce.all({ ...about, at: at() }),
    /** Counts one use; false if none is left. To be called in the transaction of the allowed operation. */
    use: (id: string) => use.run({ id, at: at() }).changes === 1,
    /** Newest first, including expired and revoked ones. */
    list: (): readonly RememberedAnswer[] => list.all(),
    /** False if no active answer has this id. */
    revoke: (id: string) => revoke.run({ id, at: at() }).changes === 1,
  };
}
