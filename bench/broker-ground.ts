import { join } from 'node:path';
import { createAgreedCapsules } from '../src/broker/agreed-capsules.ts';
import { createApprovalDesk } from '../src/broker/approval-desk.ts';
import { createApprovalStore } from '../src/broker/approvals.ts';
import { createAudit } from '../src/broker/audit.ts';
import { createBreakerStore } from '../src/broker/breaker-store.ts';
import { createBudget } from '../src/broker/budget.ts';
import { createFileLedger } from '../src/broker/file-ledger.ts';
import { createJournal } from '../src/broker/journal.ts';
import type { BrokerParts } from '../src/broker/parts.ts';
import { policyOf, takeSnapshot } from '../src/broker/policy-snapshot.ts';
import { createRememberedAnswers } from '../src/broker/remembered-answers.ts';
import { type AttemptScope, newTally, type RunScope } from '../src/broker/scope.ts';
import { createTrustStore } from '../src/broker/trust-store.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { createEventBus } from '../src/events/bus.ts';
import { noHooks } from '../src/hooks/hooks.ts';
import { createPriceList } from '../src/llm/prices.ts';
import type { Provider } from '../src/llm/provider.ts';
import { createRedactor } from '../src/policy/redact.ts';
import type { Tool } from '../src/tools/tool.ts';

/** A real broker over a real database in `dir`, for tools that do nothing. What it writes is allowed by a gate. */
export async function openBrokerGround(dir: string, tools: readonly Tool[]) {
  const db = openDatabase(join(dir, 'capstan.db'));
  db.prepare(
    `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at)
     VALUES ('run-1', 's', 't', ?, 'offline', 'none', '{}', 'running', '1:1', '2026-01-01')`,
  ).run(dir);
  const now = () => new Date();
  const audit = createAudit(db);
  const journal = createJournal(db, audit);
  const approvals = createApprovalStore(db);
  const remembered = createRememberedAnswers(db);
  const trust = createTrustStore(db, audit);
  const parts: BrokerParts = {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    provider: noProvider,
    journal,
    approvals,
    remembered,
    audit,
    trust,
    desk: createApprovalDesk({ db, journal, approvals, remembered, audit, trust }),
    agreed: createAgreedCapsules(db),
    files: createFileLedger(db),
    hooks: noHooks,
    events: createEventBus(),
    redactor: createRedactor(['a-secret-of-the-person-that-is-long']),
    approver: undefined,
    approvalDeadlineMs: undefined,
    isolation: 'none',
    budget: createBudget({ db, journal, now }),
    prices: createPriceList(),
    breakers: createBreakerStore(db, { failures: 5, restMs: 30_000 }, now),
    maxIntents: Number.POSITIVE_INFINITY,
    toolTimeoutMs: 10_000,
    modelTimeoutMs: 10_000,
    maxOutputBytes: 1024 * 1024,
    privateOrigins: new Set(),
    isProtected: () => false,
    now,
  };
  return { db, parts, scopeOf: await scopes(dir) };
}

const noProvider: Provider = {
  name: 'offline',
  origin: undefined,
  isModel: false,
  modelFor: () => 'offline',
  chat: () => Promise.reject(new Error('no model is called here')),
  close: () => {},
};

async function scopes(workspace: string) {
  const gates = { create: 'auto', spend: 'auto', write: 'allow', execute: 'auto' } as const;
  const budget = {
    runMicroUsd: 1_000_000,
    runMicroUsdSetByPerson: false,
    dayMicroUsd: 10_000_000,
    runTokens: undefined,
  };
  const { policy } = await policyOf(takeSnapshot([], { gates, approveMode: 'ask', budget }));
  const { signal } = new AbortController();
  return (): AttemptScope => {
    const scope: AttemptScope = {
      get run(): RunScope {
        return run;
      },
      attemptId: null,
      subtaskId: 's1',
      capsuleId: 'clerk',
      capsuleHash: 'c0ffee',
      grants: new Map([['file_io', { paths: ['**'] }]]),
      services: [],
      signal,
      pause: (wait) => wait(),
      end: () => {},
      tally: newTally(),
    };
    const run: RunScope = {
      id: 'run-1',
      workspace,
      policy,
      seed: 'feed',
      signal,
      parking: new AbortController(),
      namedHosts: new Set(),
      coordinator: scope,
      hasReadPrivate: false,
      spendConsents: new Map(),
    };
    return scope;
  };
}
