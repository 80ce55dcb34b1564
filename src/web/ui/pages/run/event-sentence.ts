import type { CapstanEvent, EventOf } from '../../../../contract/event.ts';
import { bytes, duration, modelName, money, OFFLINE, plural } from '../../lib/text/format.ts';

type Sentences = {
  readonly [Type in CapstanEvent['type']]: (event: EventOf<Type>) => string;
};

const sentences: Sentences = {
  'run.started': () => 'run started',
  'run.resumed': () => 'run resumed',
  'run.noticed': ({ text }) => `! ${text}`,
  'run.ended': ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  'plan.made': ({ subtasks }) => `plan of ${plural(subtasks.length, 'step')}`,
  'plan.repaired': ({ problem }) => `plan repaired: ${problem}`,
  'subtask.routed': ({ capsule_id: id }) => `goes to ${id}`,
  'subtask.started': ({ attempt }) => `started, attempt ${attempt}`,
  'subtask.ended': ({ status, duration_ms: ms, message }) =>
    `${status} · ${duration(ms)}${message ? `: ${message}` : ''}`,
  'provider.opened': ({ provider }) =>
    provider === OFFLINE ? 'no model' : `model provider: ${provider}`,
  'capsule.started': () => 'capsule started',
  'capsule.ended': () => 'capsule ended',
  'capsule.progressed': ({ text }) => text,
  'capsule.noise': ({ text }) => `printed: ${text}`,
  'capsule.quarantined': ({ reason }) => `capsule put in quarantine: ${reason}`,
  'memory.written': ({ text }) => `remembers: ${text}`,
  'memory.recalled': ({ count, left_out: left }) =>
    `recalled ${plural(count, 'memory', 'memories')}${left > 0 ? `, left out ${left}` : ''}`,
  'tool.requested': ({ tool, target }) => `${tool} ${target}`,
  'tool.answered': ({ tool, ok, message }) =>
    `${tool} ${ok ? 'done' : `failed: ${message ?? 'no reason given'}`}`,
  'model.requested': ({ model, purpose }) =>
    isRules(model) ? `${purpose}: by rules, without a model` : `${purpose}: asks ${model}`,
  'model.delayed': ({ model, problem, wait_ms: ms }) =>
    `${modelName(model)} is asked again in ${duration(ms)}: ${problem}`,
  'model.answered': ({ model, ok, cost_usd: cost, message }) =>
    ok
      ? `${isRules(model) ? 'done by rules' : `${model} answered`} · ${money(cost)}`
      : `${modelName(model)} failed: ${message ?? 'no reason given'}`,
  'message.received': ({ text }) => `> ${text}`,
  'intent.recalled': ({ what }) => `taken from the record: ${what}`,
  'intent.denied': ({ what, sentence }) => `denied: ${what}. ${sentence}`,
  'approval.asked': ({ question }) => `? ${question}`,
  'approval.decided': ({ answer, by }) => `${answer}, by ${by}`,
  'budget.warned': ({ what, unit, used, limit }) =>
    unit === 'usd'
      ? `${what}: ${money(used)} of ${money(limit)} spent`
      : `${what}: ${used} of ${limit} tokens used`,
  'breaker.opened': ({ provider, model, problem, rest_ms: ms }) =>
    `${provider} ${model} is paused for ${duration(ms)}: ${problem}`,
  'breaker.closed': ({ provider, model }) => `${provider} ${model} is used again`,
  'file.written': ({ path, bytes: size }) => `wrote ${path}, ${bytes(size)}`,
  'file.removed': ({ path }) => `removed ${path}`,
};

const isRules = (model: string): boolean => modelName(model) !== model;

/** Describes an event. A type from a later version is shown by its name. */
export function eventSentence(event: { readonly type: string }): string {
  const sentence = sentences[event.type as CapstanEvent['type']] as
    | ((event: unknown) => string)
    | undefined;
  return sentence?.(event) ?? event.type;
}
