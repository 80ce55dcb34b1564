import type { Operation } from '../../../contract/permissions/operation.ts';
import type { ToolCallFacts } from '../../../policy/decide/tool-call-facts.ts';
import { dollars } from '../../../policy/limits/spend-limits.ts';
import { hostOf } from '../../../policy/names/host-name.ts';
import { type Service, serviceProblem } from '../../../tools/web/authorize.ts';
import type { Payment } from '../../money/payment.ts';
import { type Cost, NO_USAGE, neverSent, type PayeeFailure } from '../../money/settle.ts';
import type { Call } from '../call.ts';
import type { BrokerParts, CallContext } from '../parts.ts';

/** The service that a call names, or the most expensive of those at its host if it names none. */
export function serviceOf(
  { service: name, tool, url }: Operation,
  { services }: Pick<BrokerParts, 'services'>,
): Service | undefined {
  if (name !== undefined) return services?.get(name);
  if (services === undefined || url === undefined || tool === 'web_fetch') return undefined;
  const { name: host } = hostOf(url);
  return [...services.values()]
    .filter((one) => one.priceMicroUsd > 0 && hostOf(new URL(one.origin)).name === host)
    .sort((a, b) => b.priceMicroUsd - a.priceMicroUsd)[0];
}

/** The facts about the service of a call. */
export function serviceFacts(
  operation: Operation,
  { scope, parts }: CallContext,
): Pick<ToolCallFacts, 'services' | 'costMicroUsd' | 'serviceProblem'> {
  const service = serviceOf(operation, parts);
  const { url, name } = operation;
  const isNamed = operation.service !== undefined && url !== undefined;
  const method = name.slice(name.indexOf('.') + 1);
  const problem =
    service && isNamed ? serviceProblem(service, { method, url }) : paidByCommand(operation, parts);
  return {
    services: new Set(scope.services.filter((name) => parts.services?.has(name))),
    costMicroUsd: service?.priceMicroUsd,
    serviceProblem: problem,
  };
}

/** Requests of a command can't be counted, so their cost is unknown. */
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

/** The payment of a call to a service. It reserves the price; the operation is decided after it. */
export function servicePayment(
  { intent, context: { scope, parts } }: Call,
  service: Service,
  isAllowedByRule: boolean,
): Payment {
  const { name, origin, priceMicroUsd } = service;
  const microUsd = priceMicroUsd === 0 ? 0 : priceMicroUsd + intent.costMicroUsd;
  const payment: Payment = {
    intent,
    request: intent.request,
    scope,
    parts,
    payee: { name, origin, isGuarded: true, waitMs: parts.limits.toolTimeoutMs },
    model: new URL(origin).host,
    quote: { basis: priceMicroUsd === 0 ? 'free' : 'own', source: 'services.yaml', date: 'today' },
    bound: { microUsd, tokens: 0 },
    rules: undefined,
    isAllowedByRule,
    startsAtOnce: false,
    describe: () => describe(payment, service),
  };
  return payment;
}

function describe({ intent, scope, parts }: Payment, service: Service): string {
  const { name, origin, priceMicroUsd, methods, paths } = service;
  const { runBudgetMicroUsd } = parts.budget.used(intent, scope.run.policy);
  return [
    `service: ${name} (${origin})`,
    `price: ${dollars(priceMicroUsd)} a call (services.yaml)`,
    `allowed requests: ${methods.join(', ')} ${paths.join(', ')}`,
    `cap for this run: ${dollars(runBudgetMicroUsd)} (CAPSTAN_BUDGET_RUN_USD)`,
    'The requests of capsules, which may include content of workspace files, will be sent there.',
  ].join('\n');
}

/** A request that may have reached the service costs its price, even after an error response, a broken connection or a timeout. */
export const serviceCost = ({ priceMicroUsd }: Service, thrown: unknown): Cost => ({
  microUsd: neverSent(thrown) ? 0 : priceMicroUsd,
  usage: NO_USAGE,
});

/** The failure that counts against a service: no response, or one that reports an overload or an error. */
export function serviceFailure(
  message: string | undefined,
  result: unknown,
  cancelled: AbortSignal,
): PayeeFailure | undefined {
  const isTechnical = !cancelled.aborted;
  if (message !== undefined) return { message, isTechnical };
  const { status = 0 } = (result ?? {}) as { status?: number };
  if (status < 500 && status !== 429) return undefined;
  return { message: `it answers ${status}`, isTechnical };
}
