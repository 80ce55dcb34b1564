import type { Policy } from '../broker/rules/policy-snapshot.ts';
import type { ToolGrant } from '../contract/grant.ts';

const READING = ['list', 'read', 'search'];

/**
 * What a capsule made by a run may be granted at most: the tools inside the workspace, and the open web behind its
 * questions. What a gate denies to every capsule is not granted to a new one.
 */
export function grantableIn({ gates }: Pick<Policy, 'gates'>): Readonly<Record<string, ToolGrant>> {
  const files = gates.write === 'deny' ? { operations: READING } : {};
  const execution = {
    python_exec: { commands: ['**'], hosts: ['*'] },
    terminal: { commands: ['**'], hosts: ['*'] },
  };
  return {
    file_io: { ...files, paths: ['**'] },
    sql_query: { paths: ['**'] },
    ...(gates.execute === 'deny' ? {} : execution),
    web_fetch: { hosts: ['*'] },
    http_api: { hosts: ['*'] },
  };
}
