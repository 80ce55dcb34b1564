import type { IsolationLevel } from '../../contract/isolation.ts';
import type { PriceList } from '../../llm/prices/prices.ts';
import type { Provider } from '../../llm/provider.ts';
import type { Tool, ToolContext } from '../../tools/define/tool.ts';
import type { Service } from '../../tools/web/authorize.ts';
import type { AgreedCapsules } from '../agreed/agreed-capsules.ts';
import type { ChangeRecorder } from '../changes/change-recorder.ts';
import type { FileLedger } from '../intent/file-ledger.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { MoneyParts } from '../money/payment.ts';
import type { TrustStore } from '../questions/trust-store.ts';

/** Everything that the broker works with. */
export interface BrokerParts extends MoneyParts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly provider: Provider;
  /** Providers of one model each that answer while `provider` is out of service, in this order. Default: none. */
  readonly fallbacks?: readonly Provider[];
  /** Whether `provider` is such a fallback: it is left out if its money is refused or nobody can be asked. Default: false. */
  readonly isFallback?: boolean;
  readonly files: FileLedger;
  readonly trust: TrustStore;
  readonly agreed: AgreedCapsules;
  /** Keeps what runs change, for `diff` and `undo`. Default: nothing is kept. */
  readonly changes?: ChangeRecorder | undefined;
  readonly isolation: IsolationLevel;
  /** Why the level is not higher, in a few words. */
  readonly isolationReason?: string | undefined;
  readonly prices: PriceList;
  readonly limits: CallLimits;
  /** By name, with their credentials. Default: none. */
  readonly services?: ReadonlyMap<string, Service> | undefined;
  readonly surroundings: ToolSurroundings;
}

export interface CallLimits {
  /** Of one attempt. */
  readonly maxIntents: number;
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  /** How long a model call is tried again. Default: 60 s. */
  readonly modelRetryMs?: number | undefined;
  readonly maxOutputBytes: number;
}

/** What is the same for all calls of tools. */
export type ToolSurroundings = Pick<
  ToolContext,
  | 'sandbox'
  | 'isProtected'
  | 'isClosedToProcesses'
  | 'isGitConfig'
  | 'gitPaths'
  | 'privateOrigins'
  | 'proxies'
  | 'ownFolder'
  | 'searchPath'
>;

/** Who makes a call, and what the broker works with. */
export interface CallContext {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}
