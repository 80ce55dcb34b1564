import type { Ability } from '../../contract/permissions/ability.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { grantsOperation } from '../../policy/grants/grants.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { Capsule } from '../capsule-store.ts';
import type { TaskKind } from '../manifest/manifest.ts';

/** What a capsule may use, by tool. */
export type Grants = Readonly<Record<string, ToolGrant>>;

/** The abilities that these grants lack, in the given order. */
export function missingAbilities(grants: Grants, asked: readonly Ability[]): readonly Ability[] {
  const given = new Set(
    Object.entries(grants).flatMap(([tool, grant]) => abilitiesOf(tool, grant)),
  );
  return asked.filter((ability) => !given.has(ability));
}

/** The abilities that a grant of one tool gives; none for an unknown tool. */
export const abilitiesOf = (tool: string, grant: ToolGrant): readonly Ability[] =>
  toolbox.get(tool)?.gives({
    grant,
    can: (operation) => grantsOperation(grant, `${tool}.${operation}`),
  }) ?? [];

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
  const others = Object.entries(tools).filter(([tool]) => !startsProcesses(tool));
  const byCommands = new Set<Ability>(['command', 'execute', 'write']);
  const withCommands = new Set(lacked(tools));
  return lacked(Object.fromEntries(others)).filter(
    (one) => !byCommands.has(one) || withCommands.has(one),
  );
}

const startsProcesses = (tool: string): boolean => toolbox.get(tool)?.effects === 'process';
