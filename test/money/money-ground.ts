import { createAgreedCapsules } from '../../src/broker/agreed-capsules.ts';
import { createApprovalDesk } from '../../src/broker/approval-desk.ts';
import { type Approval, type Approver, createApprovalStore } from '../../src/broker/approvals.ts';
import { createAudit } from '../../src/broker/audit.ts';
import { createBreakerStore } from '../../src/broker/breaker-store.ts';
import { createBroker } from '../../src/broker/broker.ts';
import { createBudget } from '../../src/broker/budget.ts';
import { createFileLedger } from '../../src/broker/file-ledger.ts';
import { createJournal } from '../../src/broker/journal.ts';
import type { BrokerParts } from '../../src/broker/parts.ts';
import { type Policy, policyVersionOf, takeSnapshot } from '../../src/broker/policy-snapshot.ts';
import { createRememberedAnswers } from '../../src/broker/remembered-answers.ts';
import { type AttemptScope, newTally, type RunScope } from '../../src/broker/scope.ts';
import { createTrustStore } from '../../src/broker/trust-store.ts';
import type { Db } from '../../src/db/open-database.ts';
import { createEventBus } from '../../src/events/bus.ts';
import type { CapstanEvent } from '../../src/events/event.ts';
import { noHooks } from '../../src/hooks/hooks.ts';
import { createPriceList } from '../../src/llm/prices.ts';
import type { Provider } from '../../src/llm/provider.ts';
import { createRedactor } from '../../src/policy/redact.ts';
import type { ApiCallDecision } from '../../src/runtime/protocol.ts';

export interface GroundOptions {
  readonly provider: Provider;
  readonly limits?: Partial<Policy['budget']>;
  readonly capsuleBudgets?: Policy['capsuleBudgets'];
  readonly approver?: Approver | undefined;
  readonly breaker?: { readonly failures: number; readonly restMs: number };
  readonly now?: () => Date;
  readonly runId?: string;
}

/** A broker over a real database, for one run of one capsule. */
export function moneyGround(db: Db, options: GroundOptions) {
  const { provider, approver, runId = 'run-1', now = () => new Date() } = options;
  const audit = createAudit(db, now);
  const journal = createJournal(db, audit);
  const approvals = createApprovalStore(db, now);
  const remembered = createRememberedAnswers(db, now);
  const trust = createTrustStore(db, audit);
  const desk = createApprovalDesk({ db, journal, approvals, remembered, audit, trust });
  const events = createEventBus(now);
  const heard: CapstanEvent[] = [];
  events.listen((event) => heard.push(event));
  const breakers = createBreakerStore(db, options.breaker ?? { failures: 5, restMs: 30_000 }, now);
  const parts: BrokerParts = {
    tools: new Map(),
    provider,
    journal,
    approvals,
    remembered,
    audit,
    trust,
    desk,
    agreed: createAgreedCapsules(db),
    files: createFileLedger(db),
    hooks: noHooks,
    events,
    redactor: createRedactor([]),
    approver,
    approvalDeadlineMs: undefined,
    isolation: 'none',
    budget: createBudget({ db, journal, now }),
    prices: createPriceList(),
    breakers,
    maxIntents: 1_000,
    toolTimeoutMs: 10_000,
    modelTimeoutMs: 10_000,
    maxOutputBytes: 1024 * 1024,
    privateOrigins: new Set(),
    isProtected: () => false,
    now,
  };
  const broker = createBroker(parts);
  const run = runScope(runId, policyOf(options));
  const chat = async (capsuleId = 'clerk', signal = run.signal) =>
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
      { ...run.coordinator, capsuleId, signal },
    )) as ApiCallDecision;
  return { parts, run, heard, chat, breakers, rows: () => journal.intentsOf(runId) };
}

function policyOf({ limits, capsuleBudgets = new Map() }: GroundOptions): Policy {
  const gates = { create: 'auto', spend: 'auto', write: 'auto', execute: 'auto' } as const;
  const budget = {
    runMicroUsd: 1_000_000,
    runMicroUsdSetByPerson: true,
    dayMicroUsd: 10_000_000,
    runTokens: undefined,
    ...limits,
  };
  const snapshot = takeSnapshot([], { gates, approveMode: 'ask', budget });
  const version = policyVersionOf(snapshot);
  return {
    rules: [],
    texts: [],
    capsuleBudgets,
    gates,
    approveMode: 'ask',
    budget,
    snapshot,
    version,
    notices: [],
  };
}

function runScope(id: string, policy: Policy): RunScope {
  const scope: AttemptScope = {
    get run(): RunScope {
      return run;
    },
    attemptId: null,
    subtaskId: 's1',
    capsuleId: 'clerk',
    capsuleHash: 'c0ffee',
    grants: new Map(),
    services: [],
    signal: new AbortController().signal,
    pause: (wait) => wait(),
    end: () => {},
    tally: newTally(),
  };
  const run: RunScope = {
    id,
    workspace: '/w',
    policy,
    seed: 'feed',
    signal: scope.signal,
    namedHosts: new Set(),
    coordinator: scope,
    parking: new AbortController(),
    hasReadPrivate: false,
    spendConsents: new Map(),
  };
  return run;
}

/** A run that others can write intents for. */
export function addRun(db: Db, id: string): void {
  db.prepare(
    `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at)
     VALUES (?, 's', 'a task', '/w', 'openai', 'none', '{}', 'running', '1:1', '2026-01-01')`,
  ).run(id);
}

/** Everything that ran on loopback, priced as if the vendor itself had answered. */
export const asVendor = (provider: Provider): Provider => ({
  ...provider,
  origin: 'https://api.openai.com',
});

/** A person who answers everything alike, and remembers what was asked. */
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
