import type { ModelHint } from '../../../contract/wire/chat.ts';
import type { ApiCallDecision, IntentReply } from '../../../contract/wire/coordinator-messages.ts';
import type { Provider } from '../../../llm/provider.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import type { BrokerParts, CallContext } from '../parts.ts';

type Make = (context: CallContext) => Promise<IntentReply>;

/**
 * Makes a model call with the run's provider, and with the fallback models in order while it is out of service. Each
 * is a separate intent, with its own decision, cost and breaker. If none answers, the run parks for its provider.
 */
export async function withFallbacks(
  hint: ModelHint,
  context: CallContext,
  make: Make,
): Promise<IntentReply> {
  const { scope, parts } = context;
  const { fallbacks = [], provider } = parts;
  const { denial } = scope.tally;
  let outage: string | undefined;
  const parkForProvider = (problem: string) => {
    outage ??= problem;
  };
  const held: AttemptScope = { ...scope, parkForProvider };
  const isPaused = ({ name, modelFor }: Provider) =>
    parts.breakers.stateOf({ provider: name, model: modelFor(hint) }).kind === 'open';

  const isSkipped = fallbacks.length > 0 && isPaused(provider);
  const first = isSkipped ? undefined : await make({ parts, scope: held });
  if (first && outage === undefined) return first;
  const usable = fallbacks.filter((one) => !isPaused(one));
  // The record was looked up for the first try: its other records belong to other requests.
  const { record: _, ...unrecorded } = held;
  const answer = await firstAnswer(usable, { parts, scope: first ? unrecorded : held }, make);
  if (answer === undefined) {
    if (first === undefined) return make(context);
    if (outage !== undefined) scope.parkForProvider?.(outage);
    return first;
  }
  scope.tally.denial = denial;
  const by = `${answer.by.name} (${answer.by.modelFor(hint)})`;
  const text = `${provider.name} is out of service: ${by} answered instead.`;
  if (first) parts.events.emit({ type: 'run.noticed', run_id: scope.run.id, text });
  return answer.reply;
}

async function firstAnswer(
  fallbacks: readonly Provider[],
  { parts, scope }: CallContext,
  make: Make,
): Promise<{ readonly reply: IntentReply; readonly by: Provider } | undefined> {
  for (const by of fallbacks) {
    if (scope.signal.aborted) return undefined;
    const own: BrokerParts = { ...parts, provider: by, isFallback: true };
    const reply = (await make({ parts: own, scope })) as ApiCallDecision;
    if (reply.error === undefined) return { reply, by };
  }
  return undefined;
}
