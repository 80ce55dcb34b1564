import type { Audit } from '../../broker/audit/audit.ts';
import type { Db } from '../../db/open-database.ts';
import { selected } from '../../db/sql/table.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';

/** A person's message to a run that has started. */
export interface RunMessage {
  readonly id: string;
  readonly runId: string;
  /** Its position among the messages of the run: 1, 2, 3, … */
  readonly seq: number;
  /** Without secrets. */
  readonly text: string;
  readonly by: string;
  readonly createdAt: string;
  /** When the run read it; null: not yet. */
  readonly takenAt: string | null;
}

export type MessageStore = ReturnType<typeof createMessageStore>;

/** Messages to runs. Plain statements, to be called inside the journal's transactions. Each change of a row has its line in the audit. */
export function createMessageStore(db: Db, audit: Audit, now: () => Date, { redact }: Redactor) {
  const insert = db
    .prepare<[Omit<RunMessage, 'seq' | 'takenAt'>], number>(`
      INSERT INTO messages (id, run_id, seq, text, sent_by, created_at)
      VALUES (@id, @runId, (SELECT coalesce(max(seq), 0) + 1 FROM messages WHERE run_id = @runId), @text, @by,
        @createdAt)
      RETURNING seq`)
    .pluck();
  const ofRun = db.prepare<[string], RunMessage>(`
    SELECT ${selected('id run_id seq text sent_by:"by" created_at taken_at')} FROM messages WHERE run_id = ? ORDER BY seq`);
  const take = db
    .prepare<[string, string], string>(
      'UPDATE messages SET taken_at = ? WHERE id = ? AND taken_at IS NULL RETURNING run_id',
    )
    .pluck();
  return {
    add({ runId, text, by }: Pick<RunMessage, 'runId' | 'text' | 'by'>): RunMessage {
      const createdAt = now().toISOString();
      const row = { id: uuidv7(), runId, text: redact(text), by: redact(by), createdAt };
      const seq = insert.get(row) ?? 0;
      const [actor, detail] = [`person:${row.by}`, { by: row.by }];
      audit.append({ actor, action: 'message.received', runId, ref: row.id, detail });
      return { ...row, seq, takenAt: null };
    },
    /** The messages of one run, in order. */
    of: (runId: string): readonly RunMessage[] => ofRun.all(runId),
    /** Records that the run's plan covers these messages. */
    take(ids: readonly string[]): void {
      const takenAt = now().toISOString();
      for (const ref of ids) {
        const runId = take.get(takenAt, ref);
        if (runId === undefined) continue;
        audit.append({ actor: 'coordinator', action: 'message.taken', runId, ref, detail: {} });
      }
    },
  };
}
