import type { Ability } from '../../contract/ability.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import { grantsOperation } from '../../policy/grants.ts';
import type { Capsule } from '../capsule-store.ts';
import type { TaskKind } from '../manifest/manifest.ts';

/** What a capsule may use, by tool. */
export type Grants = Readonly<Record<string, ToolGrant>>;

/** The abilities that these grants don't give, in the order asked. */
export const missingAbilities = (grants: Grants, asked: readonly Ability[]): readonly Ability[] =>
  asked.filter((ability) => !checks[ability](grants));

/**
 * The abilities that a capsule lacks. A shipped handler runs only the commands that the task itself gives, so its commands
 * don't delete, move, change databases or reach the web.
 */
export function abilitiesLackedBy(
  { manifest, origin }: Pick<Capsule, 'manifest' | 'origin'>,
  mode: TaskKind['mode'],
  asked: readonly Ability[],
): readonly Ability[] {
  const { tools, services } = manifest.grants;
  const lacked = (given: Grants) =>
    missingAbilities(given, asked).filter((one) => one !== 'web' || services.length === 0);
  if (mode !== 'handler' || origin !== 'shipped') return lacked(tools);
  const { terminal: _terminal, python_exec: _python, ...others } = tools;
  const byCommands = new Set<Ability>(['command', 'execute', 'write']);
  const withCommands = new Set(lacked(tools));
  return lacked(others).filter((one) => !byCommands.has(one) || withCommands.has(one));
}

const checks: Readonly<Record<Ability, (grants: Grants) => boolean>> = {
  write: (grants) =>
    changesFiles(grants, ['write', 'append', 'edit', 'replace', 'copy']) ||
    (may(grants, 'sql_query', ['save']) && hasPaths(grants['sql_query'])) ||
    may(grants, 'python_exec', ['write']) ||
    (may(grants, 'terminal', ['write']) && hasCommands(grants['terminal'])),
  delete: (grants) =>
    changesFiles(grants, ['delete']) || runsToWrite(grants, ['rm', 'unlink', 'trash']),
  move: (grants) => changesFiles(grants, ['rename', 'move']) || runsToWrite(grants, ['mv']),
  execute: (grants) => hasCommands(grants['terminal']) || hasPython(grants['python_exec']),
  command: (grants) => hasCommands(grants['terminal']) || runsAnything(grants['python_exec']),
  web: (grants) =>
    [grants['web_fetch'], grants['http_api']].some(hasHosts) ||
    [grants['terminal'], grants['python_exec']].some(
      (grant) => hasHosts(grant) && (runsAnything(grant) || runs(grant, ['curl', 'wget'])),
    ),
  database_write: (grants) =>
    (may(grants, 'sql_query', ['change']) && hasPaths(grants['sql_query'])) ||
    runsToWrite(grants, ['sqlite3', 'psql', 'mysql', 'duckdb']),
};

const may = (grants: Grants, tool: string, operations: readonly string[]): boolean => {
  const grant = grants[tool];
  return (
    grant !== undefined && operations.some((name) => grantsOperation(grant, `${tool}.${name}`))
  );
};

const changesFiles = (grants: Grants, operations: readonly string[]): boolean =>
  may(grants, 'file_io', operations) && hasPaths(grants['file_io']);

const hasPaths = (grant: ToolGrant | undefined): boolean => (grant?.paths ?? []).length > 0;
const hasHosts = (grant: ToolGrant | undefined): boolean => (grant?.hosts ?? []).length > 0;
const hasCommands = (grant: ToolGrant | undefined): boolean => (grant?.commands ?? []).length > 0;

/** Python code is granted with its tool, unless commands are named and `**` is not among them. */
const hasPython = (grant: ToolGrant | undefined): boolean =>
  grant !== undefined && (grant.commands === undefined || runsAnything(grant));

const runsAnything = (grant: ToolGrant | undefined): boolean =>
  (grant?.commands ?? []).some((pattern) => pattern.trim() === '**');

const runs = (grant: ToolGrant | undefined, programs: readonly string[]): boolean =>
  (grant?.commands ?? []).some((pattern) =>
    programs.includes(pattern.trim().split(/\s+/)[0] ?? ''),
  );

/** Whether commands that may write include any program, or one of these. */
const runsToWrite = (grants: Grants, programs: readonly string[]): boolean =>
  ['terminal', 'python_exec'].some(
    (tool) =>
      may(grants, tool, ['write']) && (runsAnything(grants[tool]) || runs(grants[tool], programs)),
  );
