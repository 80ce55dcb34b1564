import { AppError } from '../../contract/errors.ts';
import type { SessionStore } from '../../coordinator/store/session-store.ts';
import { findSessionToContinue } from './find-session.ts';

/**
 * The full id of a session that can take a new task. If its newest run is parked, a person resumes or cancels that one
 * first.
 *
 * @throws AppError `SESSION_UNKNOWN`; `SESSION_PARKED`; `USAGE` if several match.
 */
export function openSession(sessions: SessionStore, id: string): string {
  const session = findSessionToContinue(sessions, id);
  const newest = sessions.runsOf(session).at(-1);
  if (newest?.status === 'parked')
    throw new AppError('SESSION_PARKED', { session, run: newest.id });
  return session;
}
