import type { IntentRecord } from '../../contract/intent.ts';
import type { ApiCallDecision } from '../../contract/protocol.ts';
import type { ToolOutcome } from './tool-call.ts';

type HttpOutcome = Omit<ApiCallDecision, 'type'>;

/** How a request in a service's name went, as its capsule is told. */
export const httpOutcome = ({ ok, result, error }: ToolOutcome): HttpOutcome => ({
  approved: error?.code !== 'INTENT_DENIED',
  note: error?.message ?? '',
  ...(ok ? { response: result } : {}),
  ...(error ? { error } : {}),
});

/** An outcome as the row of its intent keeps it: the reply that the capsule gets. */
export const journaled = ({ kind }: Pick<IntentRecord, 'kind'>, outcome: ToolOutcome): unknown =>
  kind === 'http' ? httpOutcome(outcome) : outcome;
