import { AppError } from '../../contract/errors.ts';
import {
  findByIdToChange,
  findByIdToRead,
  type IdSearch,
} from '../../coordinator/store/runs/find-by-id.ts';
import type { SessionStore } from '../../coordinator/store/session-store.ts';

/**
 * The id of the session with this id, or of the only one whose id ends with it (4 characters or more), or of the newest one of
 * this workspace (`last`).
 *
 * @throws AppError `SESSION_UNKNOWN`; `NO_SESSION`; `USAGE` if several match.
 */
export async function findSessionToRead(
  sessions: SessionStore,
  id: string,
  workspace: () => Promise<string>,
): Promise<string> {
  return id === 'last'
    ? newestSession(sessions, await workspace())
    : findByIdToRead(id, searchOf(sessions)).id;
}

/** The id of the session that the newest run of this workspace belongs to. */
export function newestSession(sessions: SessionStore, workspace: string): string {
  const [newest] = sessions.list({ workspace, limit: 1 });
  if (newest) return newest.id;
  throw new AppError('NO_SESSION', { workspace });
}

/**
 * The id of the session with this id, or of the only one whose id ends with it (8 characters or more).
 *
 * @throws AppError `SESSION_UNKNOWN`; `USAGE` if several match, or if the id is shorter.
 */
export const findSessionToContinue = (sessions: SessionStore, id: string): string =>
  findByIdToChange(id, searchOf(sessions)).id;

const searchOf = ({ has, endingWith }: SessionStore): IdSearch<{ readonly id: string }> => ({
  what: 'sessions',
  find: (id) => (has(id) ? { id } : undefined),
  endingWith: (suffix) => endingWith(suffix).map((id) => ({ id })),
  unknown: (id) => new AppError('SESSION_UNKNOWN', { id }),
});

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
