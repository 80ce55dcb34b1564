import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation } from '../../contract/operation.ts';
import { decideToolCall } from '../../policy/decide-tool-call.ts';
import { hostOf } from '../../policy/host-name.ts';
import { dollars } from '../../policy/spend-limits.ts';
import { type Service, serviceProblem } from '../../tools/authorize.ts';
import type { Refusal } from '../approvals/settlement.ts';
import { beginChat, release } from '../chat/begin-chat.ts';
import type { BrokerParts } from '../parts.ts';
import type { AttemptScope } from '../scope.ts';
import type { Paid, Performed, ToolCall, ToolFacts } from '../tool-calls/tool-call.ts';
import { neverSent } from './bill.ts';
import { type BreakerOutcome, noteOutcome } from './breaker-outcome.ts';
import { breakerKey, type PaidCall } from './paid-call.ts';

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/** The service that a call names, or the dearest of those at whose host it asks without naming it. */
export function serviceOf(
  { service: name, tool, url }: Operation,
  { services }: Pick<BrokerParts, 'services'>,
): Service | undefined {
  if (name !== undefined) return services?.get(name);
  if (services === undefined || url === undefined || tool !== 'http_api') return undefined;
  const { name: host } = hostOf(url);
  return [...services.values()]
    .filter((one) => one.priceMicroUsd > 0 && hostOf(new URL(one.origin)).name === host)
    .sort((a, b) => b.priceMicroUsd - a.priceMicroUsd)[0];
}

/** What a decision looks at beside the facts of any call: nothing where no service is asked. */
export function serviceFacts(
  operation: Operation,
  { scope, parts }: Where,
): Pick<ToolFacts, 'services' | 'costMicroUsd' | 'serviceProblem'> {
  if (parts.services === undefined) return NO_SERVICE;
  const service = serviceOf(operation, parts);
  const { url, name } = operation;
  const isNamed = operation.service !== undefined && url !== undefined;
  const method = name.slice(name.indexOf('.') + 1);
  const problem =
    service && isNamed ? serviceProblem(service, { method, url }) : paidByCommand(operation, parts);
  return {
    services: new Set(scope.services.filter((name) => parts.services?.has(name))),
    ...(service && { costMicroUsd: service.priceMicroUsd }),
    ...(problem !== undefined && { serviceProblem: problem }),
  };
}

const NO_SERVICE = { services: new Set<string>() };

/** What a command asks can't be counted, so nobody can say what it costs. */
function paidByCommand(
  { network = [] }: Operation,
  { services }: Pick<BrokerParts, 'services'>,
): string | undefined {
  const reached = new Set(network.map((url) => hostOf(url).name));
  const paid = [...(services?.values() ?? [])].find(
    ({ origin, priceMicroUsd }) => priceMicroUsd > 0 && reached.has(hostOf(new URL(origin)).name),
  );
  return paid && `"${paid.name}" costs money, which no command may spend; use http_api`;
}

/** What an intent is about, for its row: the name of a service that is paid comes first. */
export const targetOf = (operation: Operation, parts: BrokerParts): string => {
  const service = serviceOf(operation, parts);
  return service ? `${service.name}${operation.url?.pathname ?? ''}` : operation.target;
};

export interface Funded {
  readonly approved: true;
  readonly call: ToolCall;
  readonly facts: ToolFacts;
}

/**
 * Decides on the money of a call of a service, and puts it aside, before anything else is asked: one spend question a
 * run and service, budgets, and the breaker. Any other call goes through as it is.
 *
 * @throws AppError `CANCELLED`.
 */
export async function fund(call: ToolCall, facts: ToolFacts): Promise<Funded | Refusal> {
  const { operation } = call.prepared;
  const service = serviceOf(operation, call.parts);
  if (!service) return { approved: true, call, facts };
  const decision = decideToolCall(operation, facts);
  if (decision.kind === 'deny') return { approved: false, ...decision };
  const isAllowedByRule = decision.kind === 'allow' && decision.step === 3;
  const paying = paidCall(call, service, isAllowedByRule);
  const begun = await beginChat(paying);
  if (!begun.approved) return begun;
  const paid: Paid = { call: paying, begun, service };
  return {
    approved: true,
    call: { ...call, intent: begun.started, paid },
    facts: { ...facts, isSpendAgreed: true },
  };
}

function paidCall(
  { intent, scope, parts }: ToolCall,
  service: Service,
  isAllowedByRule: boolean,
): PaidCall {
  const { name, origin, priceMicroUsd } = service;
  const microUsd = priceMicroUsd === 0 ? 0 : priceMicroUsd + intent.costMicroUsd;
  const call: PaidCall = {
    intent,
    request: intent.request,
    scope,
    parts,
    payee: { name, origin, isGuarded: true, waitMs: parts.toolTimeoutMs },
    model: new URL(origin).host,
    quote: { basis: priceMicroUsd === 0 ? 'free' : 'own', source: 'services.yaml', date: 'today' },
    bound: { microUsd, tokens: 0 },
    rules: [],
    isAllowedByRule,
    begins: 'reserved',
    describe: () => describe(call, service),
  };
  return call;
}

function describe({ intent, scope, parts }: PaidCall, { name, origin, ...rest }: Service): string {
  const { runBudgetMicroUsd } = parts.budget.standing(intent, scope.run.policy);
  return [
    `service: ${name} (${origin})`,
    `price: ${dollars(rest.priceMicroUsd)} a call (services.yaml)`,
    `may be asked: ${rest.methods.join(', ')} ${rest.paths.join(', ')}`,
    `cap for this run: ${dollars(runBudgetMicroUsd)} (CAPSTAN_BUDGET_RUN_USD)`,
    'What capsules put into their requests, also of the files of the workspace, will be sent there.',
  ].join('\n');
}

/** The wait for an answer ended without one: money and the one try of a breaker are free again. */
export function releasePaid({ intent, paid, parts }: ToolCall): void {
  if (paid === undefined) return;
  returnProbe(paid, parts);
  release({ intent: unreserved(intent), parts });
}

/** The row of a call that is not made. */
export const unreserved = (intent: IntentRecord): IntentRecord => ({
  ...intent,
  reservedMicroUsd: 0,
  reservedTokens: 0,
});

/** To be called in or outside of a transaction. */
export function returnProbe(paid: Paid | undefined, { breakers }: BrokerParts): void {
  if (paid?.begun.isProbe) breakers.returnProbe(breakerKey(paid.call));
}

/** What a call of a service cost, and what follows for its breaker. */
export interface PaidEnd {
  readonly row: Partial<IntentRecord>;
  readonly breaker: BreakerOutcome | undefined;
}

/**
 * Settles a call that was made. Whatever may have reached the service costs its price: an answer that says no, a
 * connection that broke, a wait that took too long.
 */
export function settlePaid(call: ToolCall, performed: Performed): PaidEnd | undefined {
  const { paid, intent, scope } = call;
  if (paid === undefined) return undefined;
  const isSent = !neverSent(performed.thrown);
  const costMicroUsd = isSent ? paid.service.priceMicroUsd : 0;
  scope.tally.costMicroUsd += costMicroUsd;
  const message = problemOf(performed);
  const isTechnical = message !== undefined && !scope.signal.aborted;
  return {
    row: {
      reservedMicroUsd: 0,
      reservedTokens: 0,
      costMicroUsd: intent.costMicroUsd + costMicroUsd,
    },
    breaker: noteOutcome(
      paid.call,
      paid.begun,
      message === undefined ? undefined : { message, isTechnical },
    ),
  };
}

/** Why a call counts against its service: no answer, or one that says that the service is ill. */
function problemOf({ outcome, output }: Performed): string | undefined {
  if (!outcome.ok) return outcome.error?.message ?? 'it failed';
  const { status = 0 } = (output?.result ?? {}) as { status?: number };
  return status >= 500 || status === 429 ? `it answers ${status}` : undefined;
}
