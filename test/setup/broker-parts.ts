import { createAgreedCapsules } from '../../src/broker/agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../../src/broker/agreed/agreed-files.ts';
import { createAudit } from '../../src/broker/audit/audit.ts';
import type { BrokerParts, CallLimits, ToolSurroundings } from '../../src/broker/calls/parts.ts';
import { createFileLedger } from '../../src/broker/intent/file-ledger.ts';
import { createJournal } from '../../src/broker/intent/journal.ts';
import { type AttemptScope, newTally, type RunScope } from '../../src/broker/intent/scope.ts';
import { createBreakerStore } from '../../src/broker/money/breaker-store.ts';
import { createBudget } from '../../src/broker/money/budget.ts';
import { createApprovalDesk } from '../../src/broker/questions/approval-desk.ts';
import { createApprovalStore } from '../../src/broker/questions/approval-store.ts';
import { createRememberedAnswers } from '../../src/broker/questions/remembered-answers.ts';
import { createTrustStore } from '../../src/broker/questions/trust-store.ts';
import {
  type Policy,
  policyVersionOf,
  takeSnapshot,
} from '../../src/broker/rules/policy-snapshot.ts';
import type { Answer, Approval } from '../../src/contract/approval.ts';
import { watchChanges } from '../../src/db/changes/watch-changes.ts';
import type { Db } from '../../src/db/open-database.ts';
import { createEventBus } from '../../src/events/bus.ts';
import { noHooks } from '../../src/hooks/hooks.ts';
import { createPriceList } from '../../src/llm/prices/prices.ts';
import type { Provider } from '../../src/llm/provider.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';

/** A person who answers questions of a test. Resolves with undefined if no answer comes from there. */
export interface Approver {
  ask(approval: Approval, signal: AbortSignal): Promise<Omit<Answer, 'binding'> | undefined>;
}

/** Answers questions like a surface does: by listening to events. */
export function answerQuestions(
  { events, approvals, desk }: Pick<BrokerParts, 'events' | 'approvals' | 'desk'>,
  { ask }: Approver,
): void {
  const open = new Map<string, AbortController>();
  events.listen((event) => {
    if (event.type === 'approval.decided') open.get(event.approval_id)?.abort();
    if (event.type !== 'approval.asked') return;
    const question = approvals.find(event.approval_id);
    if (!question) return;
    const over = new AbortController();
    open.set(question.id, over);
    void ask(question, over.signal).then((given) => {
      if (given) desk.decide(question, { ...given, binding: question.binding });
    });
  });
}

/** Other parts; of a group only the differences. */
export type PartsChanges = Omit<Partial<BrokerParts>, 'limits' | 'surroundings'> & {
  readonly limits?: Partial<CallLimits> | undefined;
  readonly surroundings?: Partial<ToolSurroundings> | undefined;
};

/** Everything that the broker is made of, over a real database; each part can be another. */
export function brokerPartsOf(
  db: Db,
  {
    approver,
    limits,
    surroundings,
    ...changes
  }: PartsChanges & { readonly approver?: Approver | undefined } = {},
): BrokerParts {
  const { now = () => new Date(), redactor = noSecrets } = changes;
  const audit = createAudit(db, now, redactor);
  const journal = createJournal(db, audit, redactor);
  const approvals = createApprovalStore(db, audit, now, redactor);
  const remembered = createRememberedAnswers(db, now, noSecrets);
  const trust = createTrustStore(db, audit, now);
  const agreed = createAgreedCapsules(db, now, createAgreedFiles(db, redactor));
  const parts: BrokerParts = {
    tools: new Map(),
    provider: noProvider,
    journal,
    approvals,
    remembered,
    audit,
    trust,
    desk: createApprovalDesk({
      changes: watchChanges(db),
      ...{ journal, approvals, remembered, audit, trust, agreed },
    }),
    agreed,
    files: createFileLedger(db),
    hooks: noHooks,
    events: createEventBus(now, { clean: redactor.redact }),
    redactor,
    canAnswer: () => approver !== undefined,
    approvalDeadlineMs: undefined,
    isolation: 'none',
    budget: createBudget(db, journal, now),
    prices: createPriceList(),
    breakers: createBreakerStore(db, { failures: 5, restMs: 30_000 }, now),
    limits: {
      maxIntents: 1_000,
      toolTimeoutMs: 10_000,
      modelTimeoutMs: 10_000,
      maxOutputBytes: 1024 * 1024,
      ...limits,
    },
    surroundings: {
      sandbox: bare,
      privateOrigins: new Set(),
      isProtected: () => false,
      ...surroundings,
    },
    now,
    ...changes,
  };
  if (approver) answerQuestions(parts, approver);
  return parts;
}

const noProvider: Provider = {
  name: 'offline',
  origin: undefined,
  isModel: false,
  modelFor: () => 'offline',
  contextTokens: async () => undefined,
  listModels: async () => [],
  chat: () => Promise.reject(new Error('no model is called here')),
  close: () => {},
};

export interface PolicyChanges {
  readonly approveMode?: Policy['approveMode'] | undefined;
  readonly gates?: Partial<Policy['gates']> | undefined;
  readonly budget?: Partial<Policy['budget']> | undefined;
  readonly capsuleBudgets?: Policy['capsuleBudgets'] | undefined;
}

/** A policy without rules: a dollar per run, ten per day, without consent to spend. */
export function policyWith(changes: PolicyChanges = {}): Policy {
  const { approveMode = 'ask', capsuleBudgets = new Map() } = changes;
  const gates = {
    create: 'auto',
    spend: 'auto',
    write: 'auto',
    execute: 'auto',
    ...changes.gates,
  } as const;
  const budget = {
    runMicroUsd: 1_000_000,
    runMicroUsdSetByPerson: false,
    dayMicroUsd: 10_000_000,
    runTokens: undefined,
    ...changes.budget,
  };
  const snapshot = takeSnapshot([], { gates, approveMode, budget });
  const version = policyVersionOf(snapshot);
  const rest = { gates, approveMode, budget, snapshot, version };
  return { rules: [], texts: [], capsuleBudgets, ...rest, notices: [] };
}

/** An active run; `coordinator` is also the scope of its one capsule. */
export function runScopeOf(
  about: Pick<RunScope, 'id' | 'workspace' | 'policy'>,
  grants: AttemptScope['grants'] = new Map(),
): RunScope {
  const { signal } = new AbortController();
  const coordinator: AttemptScope = {
    get run(): RunScope {
      return run;
    },
    attemptId: null,
    subtaskId: 's1',
    capsuleId: 'clerk',
    capsuleHash: 'c0ffee',
    grants,
    services: [],
    signal,
    ending: signal,
    pause: (wait) => wait(),
    end: () => {},
    tally: newTally(),
  };
  const run: RunScope = {
    ...about,
    task: '',
    seed: 'feed',
    signal,
    parking: new AbortController(),
    isProviderOut: false,
    namedHosts: new Set(),
    coordinator,
    hasReadPrivate: false,
    spendConsents: new Map(),
    notices: new Set(),
  };
  return run;
}

/** A run's row that intents and questions can belong to. A row that is there already stays as it is. */
export function addRun(
  db: Db,
  id: string,
  { task = 'a task', status = 'running', owner = '1:1' } = {},
): void {
  db.prepare(
    `INSERT OR IGNORE INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at)
     VALUES (?, 's', ?, '/w', 'openai', 'none', '{}', ?, ?, '2026-01-01')`,
  ).run(id, task, status, owner);
}
