import type { IntentRecord } from '../../contract/intent.ts';
import type { ToolCallResult } from '../../contract/protocol.ts';
import type { HookAnswer, ToolCallFacts } from '../../policy/tool-call-facts.ts';
import type { Service } from '../../tools/authorize.ts';
import type { PreparedCall, ToolOutput } from '../../tools/tool.ts';
import type { BrokerParts } from '../calls/parts.ts';
import type { FileEffect } from '../calls/preview.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { PaidCall } from '../money/paid-call.ts';
import type { BegunChat } from '../money/reserve-money.ts';

/** One tool call on its way. */
export interface ToolCall {
  /** What the person's hooks have against it; undefined where nothing. */
  readonly hook: HookAnswer | undefined;
  readonly intent: IntentRecord;
  readonly prepared: PreparedCall;
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
  readonly startedMs: number;
  /** What is put aside for it; undefined where no service is asked. */
  readonly paid?: Paid | undefined;
}

/** The money of a call of a service, and the one try of its breaker where this is that. */
export interface Paid {
  readonly call: PaidCall;
  readonly begun: BegunChat;
  readonly service: Service;
}

/** Everything that a decision on a tool call looks at, with what it will do to files. */
export interface ToolFacts extends ToolCallFacts {
  /** Content of every file to be written as it was when the facts were gathered: SHA-256, or `absent`. */
  readonly onDisk: ReadonlyMap<string, string | 'absent'>;
  /** What the call will do to each of them. */
  readonly effects: readonly FileEffect[];
}

/** What is journaled of a tool call's reply: all of it but its type. */
export type ToolOutcome = Pick<ToolCallResult, 'ok' | 'result' | 'origin' | 'error'>;

/** How the effect of a call went, before it is journaled. */
export interface Performed {
  readonly outcome: ToolOutcome;
  readonly output?: ToolOutput;
  /** It was stopped on its way: nobody knows what it has done by then. */
  readonly isCutOff?: boolean;
  /** It failed, and surely changed nothing. */
  readonly isUndone?: boolean;
  readonly thrown?: unknown;
}
