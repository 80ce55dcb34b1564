import type { IntentRecord } from '../../contract/intent.ts';
import { propose } from '../intent/transitions.ts';
import type { InvalidCall } from './call.ts';
import type { CallContext } from './parts.ts';
import { wireError } from './tool/perform-tool.ts';

type InvalidRequest = Pick<
  IntentRecord,
  'kind' | 'wireId' | 'reason' | 'name' | 'target' | 'request'
> & { readonly requestHash: string };

/** A call without a decision: its capsule gets the error. */
export function invalidCall(
  request: InvalidRequest,
  error: unknown,
  context: CallContext,
): InvalidCall {
  const { scope, parts } = context;
  const intent = propose(scope, parts.now, { ...request, tier: 0, repeatability: 'pure' });
  return { intent, context, problem: wireError(error) };
}
