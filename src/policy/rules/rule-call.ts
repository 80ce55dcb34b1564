import { relative, resolve, sep } from 'node:path';
import type { Operation } from '../../contract/operation.ts';
import { urlsOf } from '../decide/operation.ts';
import { tiersOf } from '../decide/table.ts';
import type { ToolCallFacts } from '../decide/tool-call-facts.ts';
import { hostOf } from '../names/host-name.ts';
import type { RuleCall } from './rule.ts';

/** A path relative to the workspace, with `/`; `.` is the workspace. */
export const placeIn = (workspace: string, path: string): string =>
  relative(workspace, path).split(sep).join('/') || '.';

/** What rules look at of a tool call. */
export function ruleCallOf(operation: Operation, facts: ToolCallFacts): RuleCall {
  const { tool, name, command, paths } = operation;
  const { workspace, capsuleId = '', isTreeFiltered = false } = facts;
  const tiers = tiersOf(operation, facts);
  return {
    tool,
    operation: name,
    capsuleId,
    paths: paths.map(({ path, subtree = false }, at) => ({
      written: placeIn(workspace, resolve(workspace, path)),
      real: placeIn(workspace, facts.paths[at]?.realPath ?? resolve(workspace, path)),
      subtree,
    })),
    isTreeFiltered,
    workspace,
    hosts: urlsOf(operation).map(hostOf),
    command,
    tiers,
    costMicroUsd: tiers.includes(3) ? facts.costMicroUsd : 0,
  };
}

/** What rules look at of a model call. */
export function ruleCallOfChat(chat: {
  readonly capsuleId: string;
  /** Undefined: the model runs in this very process. */
  readonly origin: string | undefined;
  readonly costMicroUsd: number | undefined;
}): RuleCall {
  const { capsuleId, origin, costMicroUsd } = chat;
  return {
    tool: 'chat',
    operation: 'chat',
    capsuleId,
    paths: [],
    isTreeFiltered: false,
    workspace: '/',
    hosts: origin !== undefined && URL.canParse(origin) ? [hostOf(new URL(origin))] : [],
    command: undefined,
    tiers: costMicroUsd === 0 ? [0] : [3],
    costMicroUsd,
  };
}

/**
 * Whether a rule that denies or asks stands before a path (absolute, resolved) that the call meets on its way, below a
 * folder or behind a link that was changed meanwhile: the tool leaves it out. A rule that speaks of the call itself was
 * answered before. Where this is handed to the tool, `isTreeFiltered` is true among the facts.
 */
export function keptBackBy(operation: Operation, facts: ToolCallFacts): (path: string) => boolean {
  const { rules = [], currentRules = [], workspace } = facts;
  if (rules === 'unreadable' || currentRules === 'unreadable') return () => true;
  const all = [...rules, ...currentRules];
  if (all.length === 0) return () => false;
  const call = ruleCallOf(operation, facts);
  const keeping = all.filter((rule) => rule.answer !== 'allow' && !rule.matches(call));
  return (path) => {
    const real = placeIn(workspace, path);
    const below = { ...call, paths: [{ written: real, real, subtree: false }] };
    return keeping.some((rule) => rule.matches(below));
  };
}
