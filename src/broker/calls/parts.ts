import type { IsolationLevel } from '../../contract/permissions/isolation.ts';
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

/** The dependencies of the broker. */
export interface BrokerParts extends MoneyParts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly provider: Provider;
  /** Providers of one model each that answer while `provider` is out of service, in this order. Default: none. */
  readonly fallbacks?: readonly Provider[];
  /** Whether `provider` is such a fallback: it is skipped if spending is denied or nobody can be asked. Default: false. */
  readonly isFallback?: boolean;
  readonly files: FileLedger;
  readonly trust: TrustStore;
  readonly agreed: AgreedCapsules;
  /** Records changes of files, for `diff` and `undo`. Default: nothing is recorded. */
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
  /** How long a model call is retried. Default: 60 s. */
  readonly modelRetryMs?: number | undefined;
  readonly maxOutputBytes: number;
}

/** The environment that all tool calls share. */
export type ToolSurroundings = Pick<
  ToolContext,
  | 'sandbox'
  | 'isProtected'
  | 'isClosedToProcesses'
  | 'isGitConfig'
  | 'gitPaths'
  | 'gitIdentity'
  | 'privateOrigins'
  | 'proxies'
  | 'ownFolder'
  | 'searchPath'
>;

/** The scope of a call and the dependencies of the broker. */
export interface CallContext {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}
