import { AppError } from '../../contract/errors.ts';
import type { SessionStore } from '../../coordinator/session-store.ts';

/**
 * The id of the session with this id, or of the only one whose id ends with it (4 characters or more).
 *
 * @throws AppError `SESSION_UNKNOWN`; `USAGE` if several match.
 */
export function findSession(sessions: SessionStore, id: string): string {
  const found = sessions.matching(id);
  const [first, second] = found;
  if (first === undefined) throw new AppError('SESSION_UNKNOWN', { id });
  if (second === undefined || found.includes(id)) return found.includes(id) ? id : first;
  const problem = `Several sessions end with "${id}": ${found.join(', ')}. Write more of the id.`;
  throw new AppError('USAGE', { problem });
}
