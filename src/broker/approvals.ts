import type { Db } from '../db/open-database.ts';
import { uuidv7 } from '../db/uuidv7.ts';

export interface Approval {
  readonly id: string;
  readonly runId: string;
  readonly intentId: string | null;
  readonly kind: 'tool' | 'spend' | 'create' | 'changed_file';
  readonly question: string;
  readonly requestHash: string;
  readonly status: 'pending' | 'answered' | 'expired' | 'consumed';
  readonly answer: 'approve' | 'deny' | null;
  readonly answeredBy: string | null;
}

/** What a person is asked. */
export interface Question {
  readonly id: string;
  readonly kind: Approval['kind'];
  readonly capsuleId: string;
  readonly question: string;
  /** Why it is asked at all. */
  readonly why: string;
  /** All that will be done, in full. */
  readonly details: string;
  /** The capsule's own words for it. */
  readonly capsuleReason: string;
}

export interface PersonsAnswer {
  readonly answer: 'approve' | 'deny';
  /** `terminal`. */
  readonly by: string;
}

/** Somebody who can be asked. Resolves with undefined where nobody answered. */
export interface Approver {
  ask(question: Question, signal: AbortSignal): Promise<PersonsAnswer | undefined>;
}

export interface ApprovalStore {
  open(
    approval: Pick<Approval, 'runId' | 'intentId' | 'kind' | 'question' | 'requestHash'>,
  ): string;
  /** Decides once: true for the first answer, false for any later one. */
  decide(id: string, answer: 'approve' | 'deny', by: string): boolean;
  consume(id: string): void;
  of(runId: string): readonly Approval[];
}

/** Questions to people, as rows. */
export function createApprovalStore(db: Db, now: () => Date = () => new Date()): ApprovalStore {
  const insert = db.prepare(`
    INSERT INTO approvals (id, run_id, intent_id, kind, question, request_hash, status, created_at)
    VALUES (@id, @runId, @intentId, @kind, @question, @requestHash, 'pending', @createdAt)`);
  const decide = db.prepare(`
    UPDATE approvals SET status = 'answered', answer = @answer, answered_by = @by, answered_at = @at
    WHERE id = @id AND status = 'pending'`);
  const consume = db.prepare(
    "UPDATE approvals SET status = 'consumed' WHERE id = ? AND answer = 'approve'",
  );
  const select = db.prepare<[string], Approval>(`
    SELECT id, run_id AS runId, intent_id AS intentId, kind, question, request_hash AS requestHash, status, answer,
      answered_by AS answeredBy
    FROM approvals WHERE run_id = ? ORDER BY created_at, id`);

  return {
    open(approval) {
      const id = uuidv7();
      insert.run({ id, ...approval, createdAt: now().toISOString() });
      return id;
    },
    decide: (id, answer, by) =>
      decide.run({ id, answer, by, at: now().toISOString() }).changes === 1,
    consume: (id) => void consume.run(id),
    of: (runId) => select.all(runId),
  };
}
