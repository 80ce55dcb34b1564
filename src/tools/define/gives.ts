import type { Ability } from '../../contract/permissions/ability.ts';
import { grantsShell } from '../../contract/permissions/grant.ts';
import type { Use } from './traits.ts';

/** The abilities of granted operations, by their short names, if any path is granted. */
export const givesByOperation =
  (abilities: Readonly<Record<string, Ability>>) =>
  ({ grant, can }: Use): readonly Ability[] =>
    hasAny(grant.paths)
      ? Object.entries(abilities).flatMap(([operation, ability]) => (can(operation) ? ability : []))
      : [];

/** A tool that sends requests gives `web`, if any host is granted. */
export const givesWeb = ({ grant }: Use): readonly Ability[] =>
  hasAny(grant.hosts) ? ['web'] : [];

/** Programs that delete, move or change databases. */
const PROGRAMS: readonly (readonly [Ability, readonly string[]])[] = [
  ['delete', ['rm', 'unlink', 'trash']],
  ['move', ['mv']],
  ['database_write', ['sqlite3', 'psql', 'mysql', 'duckdb']],
];

/** The abilities that granted programs give, besides running commands. */
export function givesByPrograms({ grant, can }: Use): readonly Ability[] {
  const runs = (programs: readonly string[]) =>
    grantsShell(grant) || (grant.commands ?? []).some((one) => programs.includes(programOf(one)));
  const changes = PROGRAMS.filter(([, programs]) => can('write') && runs(programs));
  const reaches = hasAny(grant.hosts) && runs(['curl', 'wget']);
  return [...changes.map(([ability]) => ability), ...(reaches ? (['web'] as const) : [])];
}

export const hasAny = (patterns: readonly string[] | undefined): boolean =>
  (patterns ?? []).length > 0;

const programOf = (pattern: string): string => pattern.trim().split(/\s+/)[0] ?? '';
