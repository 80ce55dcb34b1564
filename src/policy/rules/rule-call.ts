import { resolve } from 'node:path';
import type { Operation } from '../../contract/permissions/operation.ts';
import { shownPath } from '../../platform/files/inside.ts';
import type { ChatFacts } from '../decide/chat-facts.ts';
import { tiersOf } from '../decide/table.ts';
import type { ToolCallFacts } from '../decide/tool-call-facts.ts';
import { hostOf, urlsOf } from '../names/host-name.ts';
import type { RuleCall } from './rule.ts';

/** The facts of a tool call for rules. */
export function ruleCallOf(operation: Operation, facts: ToolCallFacts): RuleCall {
  const { tool, name, command, paths } = operation;
  const { workspace, capsuleId = '', isTreeFiltered = false } = facts;
  const tiers = tiersOf(operation, facts);
  return {
    tool,
    operation: name,
    capsuleId,
    paths: paths.map(({ path, subtree = false }, at) => ({
      written: shownPath(workspace, resolve(workspace, path)),
      real: shownPath(workspace, facts.paths[at]?.realPath ?? resolve(workspace, path)),
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

/** The facts of a model call for rules. */
export function ruleCallOfChat({
  capsuleId,
  origin,
  costMicroUsd,
}: Pick<RuleCall, 'capsuleId' | 'costMicroUsd'> & Pick<ChatFacts, 'origin'>): RuleCall {
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
 * Whether a rule denies or asks about a path (absolute, resolved) that the tool finds below a folder, or through a link
 * that was changed meanwhile: then the tool leaves it out. Rules about the call itself were applied before. If the tool
 * gets this check, `isTreeFiltered` of the facts is true.
 */
export function keptBackBy(operation: Operation, facts: ToolCallFacts): (path: string) => boolean {
  const { rules = [], currentRules = [], workspace } = facts;
  if (rules === 'unreadable' || currentRules === 'unreadable') return () => true;
  const all = [...rules, ...currentRules];
  if (all.length === 0) return () => false;
  const call = ruleCallOf(operation, facts);
  const keeping = all.filter((rule) => rule.answer !== 'allow' && !rule.matches(call));
  return (path) => {
    const real = shownPath(workspace, path);
    const below = { ...call, paths: [{ written: real, real, subtree: false }] };
    return keeping.some((rule) => rule.matches(below));
  };
}
