import type { TextDelta } from '../../contract/event.ts';
import type { Db } from '../../db/open-database.ts';

/** Texts of answers that are not complete yet, for followers in other processes. Plain statements. */
export function createDeltaRows(db: Db) {
  const insert = db.prepare(`
    INSERT INTO model_deltas (run_id, intent_id, delta)
    SELECT @runId, @intentId, @delta WHERE EXISTS (SELECT 1 FROM runs WHERE id = @runId)`);
  const select = db.prepare<[string, number], { id: number; delta: string }>(
    'SELECT id, delta FROM model_deltas WHERE run_id = ? AND id > ? ORDER BY id',
  );
  const removeCall = db.prepare('DELETE FROM model_deltas WHERE run_id = ? AND intent_id = ?');
  const removeRun = db.prepare('DELETE FROM model_deltas WHERE run_id = ?');
  return {
    add(delta: TextDelta): void {
      const { run_id: runId, intent_id: intentId } = delta;
      insert.run({ runId, intentId, delta: JSON.stringify(delta) });
    },
    /** The text added to the answers of a run after this row (0: all of it), one delta per call. */
    after(runId: string, row: number) {
      const rows = select.all(runId, row);
      const deltas = rows.map(({ delta }) => JSON.parse(delta) as TextDelta);
      return { last: rows.at(-1)?.id ?? row, deltas: joinDeltas(deltas) };
    },
    removeCall: (runId: string, intentId: string) => void removeCall.run(runId, intentId),
    removeRun: (runId: string) => void removeRun.run(runId),
  };
}

/** One delta per call; for a retried call, only the new text. */
function joinDeltas(deltas: readonly TextDelta[]): readonly TextDelta[] {
  const joined = new Map<string, TextDelta>();
  for (const delta of deltas) {
    const before = joined.get(delta.intent_id);
    const isNext = before && before.from + before.text.length === delta.from;
    const { from, text } = isNext ? before : { from: delta.from, text: '' };
    joined.set(delta.intent_id, { ...delta, from, text: text + delta.text });
  }
  return [...joined.values()];
}
