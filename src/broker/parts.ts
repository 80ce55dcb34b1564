import type { EventBus } from '../events/bus.ts';
import type { Provider } from '../llm/provider.ts';
import type { Redactor } from '../policy/redact.ts';
import type { Tool } from '../tools/tool.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import type { ApprovalStore, Approver } from './approvals.ts';
import type { Audit } from './audit.ts';
import type { FileLedger } from './file-ledger.ts';
import type { Journal } from './journal.ts';
import type { RememberedAnswers } from './remembered-answers.ts';
import type { TrustStore } from './trust-store.ts';

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
  /** The person at this process; undefined where nobody is. */
  readonly approver: Approver | undefined;
  /** How long a question waits for its answer. Undefined: for ever. */
  readonly approvalDeadlineMs: number | undefined;
  readonly trust: TrustStore;
  readonly isolation: 'A' | 'B' | 'C' | 'none';
  readonly budget: Budget;
  /** Intents of one attempt. */
  readonly maxIntents: number;
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly maxOutputBytes: number;
  /** PATH of the programs that tools start. Default: the system's folders. */
  readonly searchPath?: string | undefined;
  readonly privateOrigins: ReadonlySet<string>;
  isProtected(path: string, access: 'read' | 'write'): boolean;
  readonly now: () => Date;
}

export interface Budget {
  readonly runMicroUsd: number;
  readonly dayMicroUsd: number;
  readonly runTokens: number | undefined;
  /** The person set the run's budget: that is the consent to spend it. */
  readonly isConsent: boolean;
  /** Money and tokens that the run has used, by the journal. */
  spentBy(runId: string): { readonly microUsd: number; readonly tokens: number };
  /** Money that all runs used since midnight, local time. */
  spentToday(): number;
}
