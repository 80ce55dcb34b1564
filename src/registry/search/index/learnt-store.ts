import type { Db } from '../../../db/open-database.ts';
import type { Redactor } from '../../../policy/secrets/redact.ts';
import { type PlacedCapsule, placeOf } from '../../capsule-place.ts';
import type { Capsule } from '../../capsule-store.ts';
import type { Learnt } from './search-document.ts';

/** Maximum number of corrections that are kept, the newest ones. */
const MAX_CORRECTIONS = 1_000;

/** Characters of a task that are stored. */
const MAX_TASK_LENGTH = 500;

/** A person's correction. */
export interface RouteCorrection {
  readonly task: string;
  readonly capsule: Capsule;
  /** The capsule that had been chosen, if any. */
  readonly insteadOf?: Capsule | undefined;
}

export type LearntStore = ReturnType<typeof createLearntStore>;

/** The key of a capsule: its id, or its folder for a project's capsule. */
export const learntKey = (capsule: PlacedCapsule): string => placeOf(capsule) || capsule.id;

/** Tasks learnt from earlier runs and corrections. */
export function createLearntStore(db: Db, now: () => Date, { redact }: Redactor) {
  const statements = prepare(db);
  const at = () => now().toISOString();
  const cut = (task: string) => redact(task).trim().slice(0, MAX_TASK_LENGTH);
  const correct = db.transaction(({ task, capsule, insteadOf }: RouteCorrection) => {
    const wrong = insteadOf && learntKey(insteadOf);
    statements.correct.run(cut(task), learntKey(capsule), wrong ?? null, at());
    if (wrong !== undefined) statements.forget.run(wrong, cut(task));
    statements.forgetOld.run(MAX_CORRECTIONS);
  });
  const forgetCompleted = db.transaction((key: string, tasks: readonly string[]) => {
    for (const task of tasks) statements.forget.run(key, task);
  });
  return {
    /** Call it inside the transaction that ends the attempt. */
    addCompleted: (capsule: Capsule, task: string) =>
      void statements.complete.run({ key: learntKey(capsule), task: cut(task), at: at() }),
    /** Replaces an earlier correction of the same task. */
    correct: (correction: RouteCorrection) => correct.immediate(correction),
    /** What was learnt, by key of the capsule; completed tasks newest first. */
    all(): ReadonlyMap<string, Learnt> {
      const learnt = new Map<string, { [Kind in keyof Learnt]: string[] }>();
      const of = (key: string) => {
        const known = learnt.get(key) ?? { completed: [], corrected: [], against: [] };
        learnt.set(key, known);
        return known;
      };
      for (const { capsule, task } of statements.completed.all()) of(capsule).completed.push(task);
      for (const { capsule, task, instead_of } of statements.corrections.all()) {
        of(capsule).corrected.push(task);
        if (instead_of !== null) of(instead_of).against.push(task);
      }
      return learnt;
    },
    /** Keys of the capsules that corrections point to. */
    correctedKeys: (): ReadonlySet<string> =>
      new Set(statements.corrections.all().map(({ capsule }) => capsule)),
    forgetCompleted: (key: string, tasks: readonly string[]): void => forgetCompleted(key, tasks),
    /** Removes everything learnt for or against a capsule. Call it inside a transaction. */
    forget(capsule: PlacedCapsule): void {
      const key = learntKey(capsule);
      statements.forgetAllCompleted.run(key);
      statements.forgetCorrections.run(key);
      statements.forgetAgainst.run(key);
    },
    /** A text that changes whenever something was learnt. */
    stamp: () => statements.stamp.get() ?? '',
  };
}

function prepare(db: Db) {
  return {
    complete: db.prepare<{ key: string; task: string; at: string }>(`
      INSERT OR IGNORE INTO completed_tasks (capsule, task, completed_at)
      SELECT @key, @task, @at
      WHERE NOT EXISTS (SELECT 1 FROM route_corrections WHERE task = @task AND instead_of = @key)`),
    completed: db.prepare<[], { capsule: string; task: string }>(
      'SELECT capsule, task FROM completed_tasks ORDER BY capsule, completed_at DESC, task',
    ),
    forget: db.prepare<[string, string]>(
      'DELETE FROM completed_tasks WHERE capsule = ? AND task = ?',
    ),
    correct: db.prepare<[string, string, string | null, string]>(`
      INSERT OR REPLACE INTO route_corrections (task, capsule, instead_of, corrected_at)
      VALUES (?, ?, ?, ?)`),
    corrections: db.prepare<[], { capsule: string; task: string; instead_of: string | null }>(
      'SELECT task, capsule, instead_of FROM route_corrections ORDER BY corrected_at DESC, task',
    ),
    forgetOld: db.prepare<[number]>(`
      DELETE FROM route_corrections WHERE task IN (
        SELECT task FROM route_corrections ORDER BY corrected_at DESC, task LIMIT -1 OFFSET ?)`),
    forgetAllCompleted: db.prepare<[string]>('DELETE FROM completed_tasks WHERE capsule = ?'),
    forgetCorrections: db.prepare<[string]>('DELETE FROM route_corrections WHERE capsule = ?'),
    forgetAgainst: db.prepare<[string]>(
      'UPDATE route_corrections SET instead_of = NULL WHERE instead_of = ?',
    ),
    stamp: db
      .prepare<[], string>(`
        SELECT (SELECT count(*) || ' ' || coalesce(max(completed_at), '') FROM completed_tasks) || ' ' ||
          (SELECT count(*) || ' ' || coalesce(max(corrected_at), '') FROM route_corrections)`)
      .pluck(),
  };
}
