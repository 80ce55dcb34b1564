import { ProviderError } from '../../llm/provider.ts';
import { isTechnicalFailure } from '../../policy/breaker.ts';
import { breakerKey, type PaidCall } from './paid-call.ts';
import type { BegunChat } from './reserve-money.ts';

/** What follows for the breaker from how a call went. */
export interface BreakerOutcome {
  /** To be called in the transaction that ends the intent. */
  write(): void;
  /** Tells of a breaker that opened or closed; after the transaction. */
  tell(): void;
}

interface Failure {
  readonly message: string;
  /** Whether it counts against the payee. */
  readonly isTechnical: boolean;
}

/** Undefined where nothing follows: a success of a model that has no failures against it, or what is no model. */
export function noteOutcome(
  call: PaidCall,
  { isProbe }: BegunChat,
  told: Failure | undefined,
): BreakerOutcome | undefined {
  const failure = call.parts.redactor.redact(told);
  const { parts, scope } = call;
  const key = breakerKey(call);
  if (!call.payee.isGuarded) return undefined;
  if (failure === undefined && parts.breakers.isClean(key)) return undefined;
  const isTechnical = failure?.isTechnical ?? false;
  if (failure !== undefined && !isTechnical && !isProbe) return undefined;
  let changed: 'opened' | 'closed' | undefined;
  return {
    write() {
      if (failure === undefined) changed = parts.breakers.succeed(key) ? 'closed' : undefined;
      else if (isTechnical) changed = countFailure(call, isProbe, failure.message);
      else parts.breakers.returnProbe(key);
      if (changed === undefined) return;
      const ref = `${key.provider}/${key.model}`;
      const detail = { by: call.intent.id };
      const runId = scope.run.id;
      parts.audit.append({ actor: 'policy', action: `breaker.${changed}`, runId, ref, detail });
    },
    tell() {
      if (changed === undefined) return;
      const about = { run_id: scope.run.id, ...key };
      if (changed === 'closed') parts.events.emit({ type: 'breaker.closed', ...about });
      else {
        const problem = failure?.message ?? '';
        const standing = parts.breakers.standing(key);
        const rest_ms = standing.kind === 'open' ? standing.restMs : 0;
        parts.events.emit({ type: 'breaker.opened', ...about, problem, rest_ms });
      }
    },
  };
}

const countFailure = (call: PaidCall, isProbe: boolean, problem: string) =>
  call.parts.breakers.fail(breakerKey(call), { isProbe, problem }) ? 'opened' : undefined;

/** A call that was cancelled says nothing about the provider; one that took too long does. */
export function countsAgainst(thrown: unknown, cancelled: AbortSignal): boolean {
  if (cancelled.aborted) return false;
  if (thrown instanceof ProviderError) return isTechnicalFailure(thrown);
  return thrown instanceof Error && thrown.name === 'TimeoutError';
}
