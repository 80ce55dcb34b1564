import type { Policy } from '../broker/rules/policy-snapshot.ts';
import type { ToolGrant } from '../contract/grant.ts';

const READING = ['list', 'read', 'search'];
const WRITING = ['write', 'append', 'edit', 'replace', 'rename', 'move', 'copy', 'delete'];

/**
 * The most that a capsule created by a run may be granted, operation by operation: the tools inside the workspace, and the
 * web behind its questions, except what a gate denies to every capsule.
 */
export function grantableIn({ gates }: Pick<Policy, 'gates'>): Readonly<Record<string, ToolGrant>> {
  const mayWrite = gates.write !== 'deny';
  const programs = { operations: ['read', 'write'], commands: ['**'], hosts: ['*'] };
  return {
    file_io: { operations: mayWrite ? [...READING, ...WRITING] : READING, paths: ['**'] },
    sql_query: { operations: mayWrite ? ['read', 'save', 'change'] : ['read'], paths: ['**'] },
    ...(gates.execute === 'deny'
      ? {}
      : { python_exec: { ...programs, paths: ['**'] }, terminal: programs }),
    web_fetch: { operations: ['GET'], hosts: ['*'] },
    http_api: { operations: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], hosts: ['*'] },
  };
}
