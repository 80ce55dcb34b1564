import type { Db } from '../../db/open-database.ts';
import type { Journal } from './journal.ts';

/** Request and outcome of one intent, without secrets; undefined if it has no row. */
export function findIntentTexts(
  { db, journal }: { readonly db: Db; readonly journal: Journal },
  id: string,
): { readonly kind: string; readonly request: unknown; readonly outcome: unknown } | undefined {
  journal.flush();
  const row = db
    .prepare<[string], { kind: string; request: string | null; outcome: string | null }>(
      'SELECT kind, request, outcome FROM intents WHERE id = ?',
    )
    .get(id);
  if (row === undefined) return undefined;
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return { kind: row.kind, request: parsed(row.request), outcome: parsed(row.outcome) };
}
