import type { Ability } from '../../contract/ability.ts';
import { abilitiesInText } from '../../registry/ability/abilities-in-text.ts';
import type { Step } from '../plan/plan.ts';

const isDatabase = (path: string): boolean => /\.(?:db3?|sqlite3?|duckdb)$/i.test(path);

/** What the plan says that a step needs of its capsule; undefined if its words are to decide. */
export function needsOf({ needs, writes, description }: Step): readonly Ability[] | undefined {
  if (needs.length === 0 && writes.length === 0) return undefined;
  const stated = needs.length > 0 ? needs : abilitiesInText(description);
  const written = writes.map((path) => (isDatabase(path) ? 'database_write' : 'write'));
  return [...new Set<Ability>([...stated, ...written])];
}
