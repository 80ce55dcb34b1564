import type { Policy } from '../../broker/rules/policy-snapshot.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { abilitiesOf } from '../../registry/ability/ability.ts';
import type { Tool } from '../../tools/define/tool.ts';
import { toolbox } from '../../tools/toolbox.ts';

/**
 * The most that a capsule created by a run may be granted, operation by operation: the tools inside the workspace, and the
 * web with its questions, except operations that a gate denies to every capsule.
 */
export const grantableIn = ({
  gates,
}: Pick<Policy, 'gates'>): Readonly<Record<string, ToolGrant>> =>
  Object.fromEntries(
    [...toolbox.values()].flatMap((tool) => {
      const grant = grantOf(tool, gates);
      return grant === undefined ? [] : [[tool.name, grant]];
    }),
  );

function grantOf(
  { name, effects, operations, forNewCapsules }: Tool,
  gates: Policy['gates'],
): ToolGrant | undefined {
  if (forNewCapsules === undefined || (effects === 'process' && gates.execute === 'deny')) return;
  const { grant } = forNewCapsules;
  const changes = (one: string) => abilitiesOf(name, { ...grant, operations: [one] }).length > 0;
  const isReadOnly = effects === 'local' && gates.write === 'deny';
  return { operations: operations.filter((one) => !isReadOnly || !changes(one)), ...grant };
}
