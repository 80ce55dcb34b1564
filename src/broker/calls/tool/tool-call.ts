import type { ToolCallResult } from '../../../contract/wire/coordinator-messages.ts';
import type { HookAnswer } from '../../../policy/decide/tool-call-facts.ts';
import type { PreparedCall } from '../../../tools/define/tool.ts';
import type { Service } from '../../../tools/web/authorize.ts';
import type { Call } from '../call.ts';
import type { ToolFacts } from './tool-facts.ts';

/** A call of a tool, or a request to a service, which `http_api` performs. */
export interface ToolCall extends Call {
  readonly prepared: PreparedCall;
  /** The objection of the hooks before it; undefined if there is none. */
  readonly hook: HookAnswer | undefined;
  readonly facts: ToolFacts;
  readonly service: Service | undefined;
  readonly startedMs: number;
}

/** A prepared call after the hooks before it. */
export interface HookedCall {
  readonly prepared: PreparedCall;
  /** As the hooks changed them. */
  readonly args: unknown;
  readonly isChanged: boolean;
  /** The hooks' objection; undefined if there is none. */
  readonly hook: HookAnswer | undefined;
}

/** A tool's reply without its type. */
export type ToolOutcome = Pick<ToolCallResult, 'ok' | 'result' | 'origin' | 'error' | 'messages'>;
