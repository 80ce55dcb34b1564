import type { IsolationLevel } from '../contract/isolation.ts';
import type { EventBus } from '../events/bus.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { PriceList } from '../llm/prices.ts';
import type { Provider } from '../llm/provider.ts';
import type { Proxies } from '../llm/proxies.ts';
import type { Redactor } from '../policy/redact.ts';
import type { Sandbox } from '../runtime/sandbox/sandbox.ts';
import type { Service } from '../tools/authorize.ts';
import type { Tool } from '../tools/tool.ts';
import type { AgreedCapsules } from './approvals/agreed-capsules.ts';
import type { ApprovalDesk } from './approvals/approval-desk.ts';
import type { ApprovalStore, Approver } from './approvals/approvals.ts';
import type { RememberedAnswers } from './approvals/remembered-answers.ts';
import type { TrustStore } from './approvals/trust-store.ts';
import type { Audit } from './audit/audit.ts';
import type { ChangeRecorder } from './changes/change-recorder.ts';
import type { Journal } from './journal/journal.ts';
import type { BreakerStore } from './money/breaker-store.ts';
import type { Budget } from './money/budget.ts';
import type { FileLedger } from './tool-calls/file-ledger.ts';

/** All that the broker is made of. */
export interface BrokerParts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly provider: Provider;
  readonly journal: Journal;
  readonly approvals: ApprovalStore;
  readonly desk: ApprovalDesk;
  readonly remembered: RememberedAnswers;
  readonly audit: Audit;
  readonly files: FileLedger;
  /** Keeps what runs change, for `diff` and `undo`. Default: nothing is kept. */
  readonly changes?: ChangeRecorder | undefined;
  readonly events: EventBus;
  readonly redactor: Redactor;
  readonly hooks: Hooks;
  /** The person at this process; undefined where nobody is. */
  readonly approver: Approver | undefined;
  /** How long a question waits for its answer. Undefined: for ever. */
  readonly approvalDeadlineMs: number | undefined;
  readonly trust: TrustStore;
  readonly agreed: AgreedCapsules;
  readonly isolation: IsolationLevel;
  /** Why it is no better, in a few words. */
  readonly isolationReason?: string | undefined;
  /** What tools start their processes in. */
  readonly sandbox: Sandbox;
  readonly budget: Budget;
  readonly prices: PriceList;
  readonly breakers: BreakerStore;
  /** Intents of one attempt. */
  readonly maxIntents: number;
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly maxOutputBytes: number;
  /** PATH of the programs that tools start. Default: the system's folders. */
  readonly searchPath?: string | undefined;
  readonly privateOrigins: ReadonlySet<string>;
  /** By name, with their credentials. Default: none. */
  readonly services?: ReadonlyMap<string, Service> | undefined;
  /** What requests of the web go through. Default: nothing. */
  readonly proxies?: Proxies | undefined;
  /** Where the ways out of calls with network are kept, absolute; no tool may touch it. Default: no call has network. */
  readonly ownFolder?: string | undefined;
  isProtected(path: string, access: 'read' | 'write'): boolean;
  /** The same for processes of tools. Default: what is protected. */
  readonly isClosedToProcesses?: BrokerParts['isProtected'] | undefined;
  readonly now: () => Date;
}
