import type { IntentRecord } from '../../../contract/intent.ts';
import type { ChatRequest } from '../../../contract/wire/chat.ts';
import type { ApiCallDecision } from '../../../contract/wire/coordinator-messages.ts';
import type { Quote } from '../../../llm/prices/prices.ts';
import type { ChatResult, ProviderProblem } from '../../../llm/provider.ts';
import type { HookAnswer } from '../../../policy/decide/tool-call-facts.ts';
import type { Estimate } from '../../intent/record.ts';
import type { Payment } from '../../money/payment.ts';
import type { Call } from '../call.ts';

/** A call of a model. */
export interface ChatCall extends Call {
  readonly request: ChatRequest;
  /** The objection of the hooks before it; undefined if there is none. */
  readonly hook: HookAnswer | undefined;
  readonly model: string;
  readonly quote: Quote;
  readonly bound: Payment['bound'];
}

/** The reply without its type, with the additional fields of its row. */
export type ChatOutcome = Omit<ApiCallDecision, 'type'> & {
  /** The part of its cost and tokens that no vendor reported. */
  readonly estimated?: Estimate | undefined;
  /** Values that the provider needs back with the tool calls, by their ids. The capsule does not get them. */
  readonly carried?:
    | { readonly provider: string; readonly calls: ChatResult['carried'] }
    | undefined;
  readonly problem?: ProviderProblem | undefined;
  /** The limit that did not allow another try, with the facts of that try. */
  readonly refused?: Pick<IntentRecord, 'rule' | 'facts'> | undefined;
};
