import * as z from 'zod';
import { messageOf } from '../contract/errors.ts';
import type { ToolGrant } from '../contract/permissions/grant.ts';
import type { Operation } from '../contract/permissions/operation.ts';
import { hostsInText } from '../contract/text/hosts-in-text.ts';
import { canonicalHash } from '../platform/text/canonical-hash.ts';
import type { ChatFacts } from '../policy/decide/chat-facts.ts';
import { decideApiCall } from '../policy/decide/decide-api-call.ts';
import { decideToolCall } from '../policy/decide/decide-tool-call.ts';
import type { Decision } from '../policy/decide/decision.ts';
import { tiersOf } from '../policy/decide/table.ts';
import type { ToolCallFacts } from '../policy/decide/tool-call-facts.ts';
import { budgetOfCapsule } from '../policy/limits/capsule-budgets.ts';
import type { Tool } from '../tools/define/tool.ts';
import type { BrokerParts, ToolSurroundings } from './calls/parts.ts';
import { gatherToolFacts } from './calls/tool/tool-facts.ts';
import { type AttemptScope, newTally } from './intent/scope.ts';
import { NOTHING_USED } from './money/payment.ts';
import type { TrustStore } from './questions/trust-store.ts';
import type { Policy } from './rules/policy-snapshot.ts';

/** An intent to explain, as a person writes it, with the facts that a run would add. */
export const ExplainedIntent = z.strictObject({
  capsule: z.string('write the id of a capsule'),
  tool: z.string('write the name of a tool, or chat'),
  args: z.unknown().optional(),
  task: z.string('write the text of the task: the hosts it names count').optional(),
  after_read: z.boolean('true: the run has read files of the workspace').optional(),
  sampled: z.boolean('false: the sample of one in ten does not contain it').optional(),
  isolation: z.enum(['A', 'B', 'C', 'none'], 'write A, B, C or none').optional(),
  provider: z.string('write the name of a provider').optional(),
  host: z.string('write the host of the provider').optional(),
  cost_usd: z.number('write an amount in dollars').nonnegative().optional(),
});
export type ExplainedIntent = z.output<typeof ExplainedIntent>;

/** The decision that would be made, and its rule. */
export interface Explanation {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly step: number;
  readonly rule: string;
  /** A stable code if it is denied, else null. */
  readonly reason: string | null;
  /** Its highest tier; null if the call can't be made. */
  readonly tier: number | null;
  readonly sentence: string;
}

/** The facts that an explanation is based on. */
export interface ExplainContext {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: Policy;
  /** Undefined if there is no such capsule. */
  grantsOf(
    capsuleId: string,
  ):
    | { readonly grants: ReadonlyMap<string, ToolGrant>; readonly services: readonly string[] }
    | undefined;
  readonly workspace: string;
  readonly namedHosts: readonly string[];
  readonly isolation: BrokerParts['isolation'];
  readonly parts: Pick<BrokerParts, 'redactor' | 'services'> & {
    readonly surroundings: Pick<ToolSurroundings, 'isProtected'>;
    readonly files: Pick<BrokerParts['files'], 'knownTo' | 'lastWritten'>;
  };
  readonly trust: Pick<TrustStore, 'levelsOf'>;
}

/** Decides an intent by the current rules, trust, grants and files, without performing it. */
export async function explainIntent(
  intent: ExplainedIntent,
  context: ExplainContext,
): Promise<Explanation> {
  const { capsule, tool: name } = intent;
  const granted = context.grantsOf(capsule);
  if (granted === undefined) return refused('capsule_unknown', `There is no capsule "${capsule}".`);
  if (name === 'chat') {
    const facts = chatFactsOf(intent, context);
    return explained(decideApiCall(facts), facts.estimateMicroUsd === 0 ? 0 : 3);
  }
  const tool = context.tools.get(name);
  if (tool === undefined) {
    return refused(
      'tool_unknown',
      `There is no tool "${name}". Known: ${[...context.tools.keys()].join(', ')}.`,
    );
  }
  let operation: Operation;
  try {
    operation = tool.prepare(intent.args ?? {}).operation;
  } catch (error) {
    return refused('args_invalid', messageOf(error));
  }
  const facts = await toolFactsOf(operation, intent, context, granted);
  return explained(decideToolCall(operation, facts), Math.max(...tiersOf(operation, facts)));
}

const refused = (rule: string, sentence: string): Explanation => ({
  decision: 'deny',
  step: 1,
  rule,
  reason: 'denied',
  tier: null,
  sentence,
});

const explained = (decision: Decision, tier: number): Explanation => ({
  decision: decision.kind,
  step: decision.step,
  rule: decision.rule,
  reason: decision.kind === 'deny' ? decision.reason : null,
  tier,
  sentence: decision.sentence,
});

async function toolFactsOf(
  operation: Operation,
  intent: ExplainedIntent,
  context: ExplainContext,
  granted: ReturnType<ExplainContext['grantsOf']>,
): Promise<ToolCallFacts> {
  const { capsule: capsuleId, tool, args, sampled, cost_usd: cost } = intent;
  const { workspace, policy, parts, trust } = context;
  const namedHosts = new Set([...context.namedHosts, ...hostsInText(intent.task ?? '')]);
  const hasReadPrivate = intent.after_read ?? false;
  const run = { id: '', workspace, namedHosts, hasReadPrivate, policy, seed: '' };
  // A scope without a run, with only the fields that the facts need.
  const { signal } = new AbortController();
  const about = { run, capsuleId, signal, tally: newTally(), ...granted };
  const scope = about as unknown as AttemptScope;
  const isolation = intent.isolation ?? context.isolation;
  const some = { ...parts, trust, isolation } as unknown as BrokerParts;
  const request = { tool, args };
  const requestHash = canonicalHash(request);
  const found = await gatherToolFacts(operation, { request, requestHash }, { scope, parts: some });
  return {
    ...found,
    isSampled: sampled ?? true,
    ...(cost === undefined ? {} : { costMicroUsd: cost * 1e6 }),
  };
}

function chatFactsOf(
  { capsule: capsuleId, provider = 'a provider', host, cost_usd: cost, args }: ExplainedIntent,
  { policy, parts }: ExplainContext,
): ChatFacts {
  const { budget, gates, rules } = policy;
  return {
    capsuleId,
    provider,
    model: 'any model',
    origin: host === undefined ? undefined : `https://${host}/`,
    estimateMicroUsd: cost === undefined ? undefined : cost * 1e6,
    gate: gates.spend,
    hasConsent: budget.runMicroUsdSetByPerson,
    holdsSecret: parts.redactor.holdsSecret(args),
    ...NOTHING_USED,
    runBudgetMicroUsd: budget.runMicroUsd,
    dayBudgetMicroUsd: budget.dayMicroUsd,
    runTokenBudget: budget.runTokens,
    capsule: {
      budget: budgetOfCapsule(policy.capsuleBudgets, capsuleId),
      runSpentMicroUsd: 0,
      daySpentMicroUsd: 0,
    },
    rules,
  };
}
