import type { IsolationLevel } from '../../contract/isolation.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Hooks } from '../../hooks/hooks.ts';
import type { PriceList } from '../../llm/prices.ts';
import type { Provider } from '../../llm/provider.ts';
import type { Proxies } from '../../llm/proxies.ts';
import type { Redactor } from '../../policy/redact.ts';
import type { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import type { Service } from '../../tools/authorize.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Audit } from '../audit/audit.ts';
import type { FileLedger } from '../intent/file-ledger.ts';
import type { Journal } from '../intent/journal.ts';
import type { RunScope } from '../intent/scope.ts';
import type { BreakerStore } from '../money/breaker-store.ts';
import type { Budget } from '../money/budget.ts';
import type { AgreedCapsules } from '../questions/agreed-capsules.ts';
import type { ApprovalDesk } from '../questions/approval-desk.ts';
import type { ApprovalStore } from '../questions/approval-store.ts';
import type { RememberedAnswers } from '../questions/remembered-answers.ts';
import type { TrustStore } from '../questions/trust-store.ts';

/** The run that `canAnswer` is asked about. */
export type AnswerableRun = Pick<RunScope, 'id' | 'workspace'>;

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
  readonly events: EventBus;
  readonly redactor: Redactor;
  readonly hooks: Hooks;
  /** Whether somebody can answer questions of this run now. Called each time. */
  canAnswer(run: AnswerableRun): boolean;
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
