import type { Stores } from '../../coordinator/store/create-stores.ts';
import { waitForChange } from '../../db/changes/wait-for-change.ts';

/** Changes since the last time, by any process. */
export interface Changed {
  readonly runs: readonly string[];
  readonly approvals: boolean;
}

/** The runs that can change, and the newest others. */
const STATES = `
  SELECT id, status || ' ' || coalesce((SELECT max(seq) FROM events WHERE run_id = runs.id), 0)
    || ' ' || (SELECT count(*) FROM approvals WHERE run_id = runs.id AND status = 'pending') AS state FROM runs
  WHERE status IN ('pending', 'running', 'parked') OR id IN (SELECT id FROM runs ORDER BY id DESC LIMIT 50)`;

const QUESTIONS = `
  SELECT coalesce(group_concat(id), '') FROM (SELECT id FROM approvals WHERE status = 'pending' ORDER BY id)`;

/** Yields at every change of runs and questions, at most one at a time. Ends when the signal aborts. */
export async function* watchEverything(
  stores: Stores,
  signal: AbortSignal,
): AsyncGenerator<Changed, void, void> {
  const ending = AbortSignal.any([signal, stores.changes.closed]);
  const states = stores.db.prepare<[], Record<'id' | 'state', string>>(STATES);
  const questions = stores.db.prepare<[], string>(QUESTIONS).pluck();
  const read = () => new Map(states.all().map(({ id, state }) => [id, state]));
  let known = read();
  let asked = questions.get();
  const waiter = waitForChange(stores.changes, ending);
  try {
    for (;;) {
      await waiter.next();
      if (ending.aborted) return;
      const [now, asking] = [read(), questions.get()];
      const runs = [...now].flatMap(([id, state]) => (known.get(id) === state ? [] : [id]));
      const approvals = asking !== asked;
      [known, asked] = [now, asking];
      if (runs.length > 0 || approvals) yield { runs, approvals };
    }
  } finally {
    waiter.stop();
  }
}
