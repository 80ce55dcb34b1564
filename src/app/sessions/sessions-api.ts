import type { SessionRun, SessionSummary } from '../../coordinator/store/session-store.ts';
import type { AppContext } from '../context/open-context.ts';
import { currentWorkspace } from '../runs/find-run.ts';
import type { RunsApi } from '../runs/runs-api.ts';
import type { StartOptions } from '../runs/start/start-run.ts';
import type { StartedRun } from '../runs/start/started-run.ts';
import { workspaceFolder } from '../runs/workspace-folder.ts';

export interface Session {
  readonly id: string;
  /** Oldest first. */
  readonly runs: readonly SessionRun[];
}

export interface ListSessions {
  /** Only sessions with runs in this folder, relative to the `cwd` of Capstan. It may have been deleted. Default: all. */
  readonly workspace?: string | undefined;
  /** Default: 20. */
  readonly limit?: number | undefined;
}

/** `capstan.sessions`: conversations. A session contains runs; a further task in it gets the earlier ones as context. */
export interface SessionsApi {
  /** The session whose newest run is the newest comes first. */
  list(options?: ListSessions): Promise<readonly SessionSummary[]>;
  /**
   * @param id The session's id, a unique end of it of 4 characters or more, or `last`: the newest of the current workspace.
   * @throws AppError `SESSION_UNKNOWN`; `NO_SESSION`; `USAGE` if several match.
   */
  get(id: string): Promise<Session>;
  /**
   * Starts a further task in a session, in the workspace of its newest run unless another one is named. It gets the earlier
   * tasks that have ended, their answers and the files they wrote as context.
   *
   * @param id The session's id, the last 8 characters or more of it, or `last`: the newest of the workspace.
   * @throws AppError `SESSION_UNKNOWN`; `NO_SESSION`; `USAGE` if several match or the id is too short; `SESSION_PARKED`, with `next`, if its newest run is parked; what `runs.start`
   *   throws.
   */
  continue(id: string, options: ContinueOptions): Promise<StartedRun>;
}

export type ContinueOptions = Omit<StartOptions, 'session'>;

export const sessionsApi = (context: AppContext, runs: Pick<RunsApi, 'start'>): SessionsApi => ({
  async list({ workspace, limit = 20 } = {}) {
    const { sessions } = await context.stores();
    const folder =
      workspace === undefined ? {} : { workspace: workspaceFolder(context.cwd, workspace) };
    return sessions.list({ limit, ...folder });
  },
  async get(id) {
    const { sessions } = await context.stores();
    const { findSessionToRead } = await import('./find-session.ts');
    const sessionId = await findSessionToRead(sessions, id, currentWorkspace(context));
    return { id: sessionId, runs: sessions.runsOf(sessionId) };
  },
  async continue(id, options) {
    const { sessions } = await context.stores();
    const { findSessionToContinue, newestSession } = await import('./find-session.ts');
    if (id === 'last') {
      const { workspace } = options;
      const { settings } = await context.settings(workspace === undefined ? {} : { workspace });
      return runs.start({ ...options, session: newestSession(sessions, settings.workspace) });
    }
    const session = findSessionToContinue(sessions, id);
    const workspace = options.workspace ?? sessions.runsOf(session).at(-1)?.workspace;
    return runs.start({ ...options, session, workspace });
  },
});
