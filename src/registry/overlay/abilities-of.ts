import type { ToolGrant } from '../../contract/grant.ts';
import { grantsOperation, grantsShell } from '../../policy/grants/grants.ts';
import { ASK_PERSON } from '../../tools/ask-person.ts';
import { toolbox } from '../../tools/toolbox.ts';

/**
 * Variables for the parts of a text that need an ability: `can.file_io`, `can.file_io.write`, and by the other lists of a
 * grant `can.terminal.shell` (any command), `can.terminal.network` (hosts) and `can.python_exec.paths`.
 */
export function abilitiesOf(tools: Readonly<Record<string, ToolGrant>>): Record<string, boolean> {
  const abilities: Record<string, boolean> = {};
  for (const { name: tool, operations } of toolbox.values()) {
    if (tool === ASK_PERSON) continue;
    const grant = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    abilities[`can.${tool}`] = grant !== undefined;
    for (const operation of operations) {
      abilities[`can.${tool}.${operation}`] =
        grant !== undefined && grantsOperation(grant, operation);
    }
    abilities[`can.${tool}.shell`] = grant !== undefined && grantsShell(grant);
    abilities[`can.${tool}.network`] = (grant?.hosts ?? []).length > 0;
    abilities[`can.${tool}.paths`] = (grant?.paths ?? []).length > 0;
  }
  return abilities;
}
