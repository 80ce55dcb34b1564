import type { Ability } from '../../contract/ability.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import type { Use } from './traits.ts';

/** Abilities that operations give, by their short names, in the paths that are granted. */
export const givesByOperation =
  (abilities: Readonly<Record<string, Ability>>) =>
  ({ grant, can }: Use): readonly Ability[] =>
    hasAny(grant.paths)
      ? Object.entries(abilities).flatMap(([operation, ability]) => (can(operation) ? ability : []))
      : [];

/** A tool that sends requests gives the web, where a host is granted. */
export const givesWeb = ({ grant }: Use): readonly Ability[] =>
  hasAny(grant.hosts) ? ['web'] : [];

/** Programs that delete, move, change databases or reach the web. */
const PROGRAMS: readonly (readonly [Ability, readonly string[]])[] = [
  ['delete', ['rm', 'unlink', 'trash']],
  ['move', ['mv']],
  ['database_write', ['sqlite3', 'psql', 'mysql', 'duckdb']],
];

/** Abilities of the programs that a tool starts, besides running them. */
export function givesByPrograms({ grant, can }: Use): readonly Ability[] {
  const runs = (programs: readonly string[]) =>
    runsAnything(grant) || (grant.commands ?? []).some((one) => programs.includes(programOf(one)));
  const changes = PROGRAMS.filter(([, programs]) => can('write') && runs(programs));
  const reaches = hasAny(grant.hosts) && runs(['curl', 'wget']);
  return [...changes.map(([ability]) => ability), ...(reaches ? (['web'] as const) : [])];
}

export const hasAny = (patterns: readonly string[] | undefined): boolean =>
  (patterns ?? []).length > 0;

/** Whether any command is granted. */
export const runsAnything = (grant: ToolGrant): boolean =>
  (grant.commands ?? []).some((pattern) => pattern.trim() === '**');

const programOf = (pattern: string): string => pattern.trim().split(/\s+/)[0] ?? '';
