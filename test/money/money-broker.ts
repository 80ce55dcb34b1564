import { createBroker } from '../../src/broker/answer.ts';
import type { RecordPool } from '../../src/broker/intent/scope.ts';
import { createBreakerStore } from '../../src/broker/money/breaker-store.ts';
import type { Policy } from '../../src/broker/rules/policy-snapshot.ts';
import type { Approval } from '../../src/contract/approval.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import type { ApiCallDecision } from '../../src/contract/wire/coordinator-messages.ts';
import type { Db } from '../../src/db/open-database.ts';
import { createEventBus } from '../../src/events/bus.ts';
import type { Provider } from '../../src/llm/provider.ts';
import { noSecrets, type Redactor } from '../../src/policy/secrets/redact.ts';
import type { Approver } from '../setup/broker-parts.ts';
import { brokerPartsOf, policyWith, runScopeOf } from '../setup/broker-parts.ts';

export interface MoneyBrokerOptions {
  readonly provider: Provider;
  readonly limits?: Partial<Policy['budget']>;
  readonly capsuleBudgets?: Policy['capsuleBudgets'];
  readonly approver?: Approver | undefined;
  readonly breaker?: { readonly failures: number; readonly restMs: number };
  readonly now?: () => Date;
  readonly runId?: string;
  readonly redactor?: Redactor;
  readonly parkForProvider?: (problem: string) => void;
  readonly fallbacks?: readonly Provider[];
  /** Default: 50 ms. */
  readonly modelRetryMs?: number;
}

/** A broker over a real database, for one run of one capsule. */
export function openMoneyBroker(db: Db, options: MoneyBrokerOptions) {
  const { provider, approver, runId = 'run-1', now = () => new Date() } = options;
  const { redactor = noSecrets, fallbacks = [], modelRetryMs = 50 } = options;
  const events = createEventBus(now, { clean: redactor.redact });
  const heard: CapstanEvent[] = [];
  events.listen((event) => heard.push(event));
  const breakers = createBreakerStore(db, options.breaker ?? { failures: 5, restMs: 30_000 }, now);
  const parts = brokerPartsOf(db, {
    provider,
    fallbacks,
    limits: { modelRetryMs },
    events,
    approver,
    breakers,
    redactor,
    now,
  });
  const broker = createBroker(parts);
  const policy = policyWith({
    budget: { runMicroUsdSetByPerson: true, ...options.limits },
    capsuleBudgets: options.capsuleBudgets,
  });
  const run = runScopeOf({ id: runId, workspace: '/w', policy });
  const chat = async (capsuleId = 'clerk', signal = run.signal, record?: RecordPool) =>
    (await broker.answer(
      {
        type: 'api_call_intent',
        provider: '',
        endpoint: '',
        reason: '',
        estimated_cost_usd: 0,
        request: {
          kind: 'chat',
          hint: 'fast',
          messages: [{ role: 'user', content: 'hello' }],
          max_output_tokens: 1_000,
        },
      },
      {
        ...run.coordinator,
        capsuleId,
        signal,
        ...(options.parkForProvider ? { parkForProvider: options.parkForProvider } : {}),
        ...(record ? { record } : {}),
      },
    )) as ApiCallDecision;
  return { parts, run, heard, chat, breakers, rows: () => parts.journal.intentsOf(runId) };
}

/** Everything that ran on loopback, priced as if the vendor itself had answered. */
export const asVendor = (provider: Provider): Provider => ({
  ...provider,
  origin: 'https://api.openai.com',
});

/** A person who gives the same answer to everything, and records the questions. */
export function person(answer: 'approve' | 'deny') {
  const asked: Approval[] = [];
  const approver: Approver = {
    async ask(question) {
      asked.push(question);
      return { answer, by: 'terminal' };
    },
  };
  return { asked, approver };
}
