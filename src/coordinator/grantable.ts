import type { Policy } from '../broker/rules/policy-snapshot.ts';
import type { ToolGrant } from '../contract/grant.ts';

const READING = ['list', 'read', 'search'];

/**
 * The most that a capsule created by a run may be granted: the tools inside the workspace, and the web behind its
 * questions, except what a gate denies to every capsule.
 */
export function grantableIn({ gates }: Pick<Policy, 'gates'>): Readonly<Record<string, ToolGrant>> {
  const files = gates.write === 'deny' ? { operations: READING } : {};
  const execution = {
    python_exec: { commands: ['**'], hosts: ['*'] },
    terminal: { commands: ['**'], hosts: ['*'] },
  };
  return {
    file_io: { ...files, paths: ['**'] },
    sql_query: { ...(gates.write === 'deny' && { operations: ['read'] }), paths: ['**'] },
    ...(gates.execute === 'deny' ? {} : execution),
    web_fetch: { hosts: ['*'] },
    http_api: { hosts: ['*'] },
  };
}
