import type { ToolGrant } from '../../contract/permissions/grant.ts';
import type { Granted } from '../../contract/permissions/granted.ts';
import { grantsOperation, grantsShell } from './grants.ts';

/** A grant in a form for tools, which offer no more than it allows. */
export function grantedBy(grant: ToolGrant, services: readonly string[]): Granted {
  const { paths = [], hosts = [] } = grant;
  return {
    can: (operation) => grantsOperation(grant, operation),
    hasShell: grantsShell(grant),
    hasHosts: hosts.length > 0,
    hasPaths: paths.length > 0,
    hasServices: services.length > 0,
    limits: limitsOf(grant),
  };
}

/** A list that allows everything or nothing does not limit an argument. */
function limitsOf({ paths = [], hosts = [], commands = [] }: ToolGrant): string {
  const lists = [
    ['paths', paths, '**'],
    ['hosts', hosts, '*'],
    ['commands', commands, '**'],
  ] as const;
  return lists
    .filter(([, patterns, all]) => patterns.length > 0 && !(patterns as string[]).includes(all))
    .map(([name, patterns]) => `Granted ${name}: ${patterns.join(', ')}.`)
    .join(' ');
}
